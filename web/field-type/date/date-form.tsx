import { SelectField } from '../../ui/select-field.tsx';
import { type DefaultProps, type FieldForm, type FormProps, none } from '../option/field-form.ts';
import { datePatternOf } from './date-format.ts';
import { DateOptions } from './date-options.tsx';
import { browserLanguage } from '../../ui/language.ts';

const DateDefault = ({ label, given, set }: DefaultProps) => (
  <SelectField
    label={label}
    value={given === 'now' ? 'now' : ''}
    options={[none, { value: 'now', label: 'When the record is created' }]}
    onValue={set}
  />
);

const Options = ({ options, onChange }: FormProps) => <DateOptions options={options} onChange={onChange} />;

export const createdTimeForm: FieldForm = { Options };

export const dateForm: FieldForm = {
  Options,
  Default: DateDefault,
  asksDateOrder: true,
  beginNew: () => ({ formatting: { date: datePatternOf(browserLanguage()), time: 'None', timeZone: 'UTC' } }),
  canBeUnique: true,
  canBeRequired: true,
};
