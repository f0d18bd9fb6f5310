import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { personOption } from '../cell/cell-options.tsx';
import { type DefaultProps, type FieldForm, type FormProps, none } from '../option/field-form.ts';

const me = { value: 'me', label: 'The person who creates the record' };

const PeopleDefault = ({ label, options, people, given, set }: DefaultProps) => {
  const choices = [me, ...people.map(personOption)];
  const values = [given ?? []].flat().map(String);
  if (options['isMultiple'] !== true)
    return <SelectField label={label} value={values[0] ?? ''} options={[none, ...choices]} onValue={set} />;
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-[13px] font-medium text-ink-soft">{label}</span>
      <MultiSelect label={label} values={values} options={choices} placeholder="None" onValues={set} />
    </div>
  );
};

const Options = ({ options, onChange }: FormProps) => (
  <label className="flex items-center gap-2.5">
    <input
      type="checkbox"
      className="size-4 accent-[var(--accent)]"
      checked={options['isMultiple'] === true}
      onChange={(event) => onChange({ ...options, isMultiple: event.target.checked })}
    />
    Several people in one cell
  </label>
);

export const userForm: FieldForm = { Options, Default: PeopleDefault, canBeRequired: true };
