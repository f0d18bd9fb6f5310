import { SelectField } from '../../ui/select-field.tsx';
import { type DefaultProps, type FieldForm, type FormProps, none } from '../option/field-form.ts';
import { mostStars } from './rating-type.ts';

const Options = ({ options, onChange }: FormProps) => (
  <SelectField
    label="Stars"
    value={String(options['max'] ?? 5)}
    options={Array.from({ length: 10 }, (_item, index) => ({
      value: String(index + 1),
      label: String(index + 1),
    }))}
    onValue={(max) => onChange({ ...options, max: Number(max) })}
  />
);

const Choose = ({ label, options, given, set }: DefaultProps) => (
  <SelectField
    label={label}
    value={typeof given === 'number' ? String(given) : ''}
    options={[
      none,
      ...Array.from({ length: mostStars({ options }) }, (_one, at) => ({
        value: String(at + 1),
        label: '★'.repeat(at + 1),
      })),
    ]}
    onValue={(next) => set(next === '' ? null : Number(next))}
  />
);

export const ratingForm: FieldForm = { Options, Choose, canBeRequired: true };
