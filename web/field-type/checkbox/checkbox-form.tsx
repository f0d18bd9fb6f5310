import { SelectField } from '../../ui/select-field.tsx';
import type { DefaultProps, FieldForm } from '../option/field-form.ts';

/** Ticked or not, to be chosen. */
const CheckboxDefault = ({ label, given, set }: Pick<DefaultProps, 'label' | 'given' | 'set'>) => (
  <SelectField
    label={label}
    value={given === true ? 'true' : ''}
    options={[
      { value: '', label: 'Not checked' },
      { value: 'true', label: 'Checked' },
    ]}
    onValue={(value) => set(value === 'true' ? true : null)}
  />
);

export const checkboxForm: FieldForm = { Default: CheckboxDefault, Choose: CheckboxDefault };
