import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { choiceOptions } from '../cell/cell-options.tsx';
import { type DefaultProps, type FieldForm, type FormProps, none } from '../option/field-form.ts';
import { ChoicesField } from './choices-field.tsx';

const ChoiceDefault = ({ label, options, given, set }: DefaultProps) => {
  const choices = choiceOptions(options);
  return choices.length === 0 ? null : (
    <SelectField
      label={label}
      value={typeof given === 'string' && choices.some(({ value }) => value === given) ? given : ''}
      options={[none, ...choices]}
      onValue={set}
    />
  );
};

const ChoicesDefault = ({ label, options, given, set }: DefaultProps) => {
  const choices = choiceOptions(options);
  return choices.length === 0 ? null : (
    <div className="flex flex-col gap-1.5">
      <span className="text-[13px] font-medium text-ink-soft">{label}</span>
      <MultiSelect
        label={label}
        values={[given ?? []].flat().map(String)}
        options={choices}
        placeholder="None"
        onValues={set}
      />
    </div>
  );
};

const Options = ({ options, onChange }: FormProps) => <ChoicesField options={options} onChange={onChange} />;

export const singleSelectForm: FieldForm = {
  Options,
  Default: ChoiceDefault,
  Choose: ChoiceDefault,
  canBeRequired: true,
};

export const multipleSelectForm: FieldForm = {
  Options,
  Default: ChoicesDefault,
  Choose: ChoicesDefault,
  canBeRequired: true,
};
