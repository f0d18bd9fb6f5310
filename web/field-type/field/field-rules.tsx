// What holds for the cells of a field whatever its type: a description, a default, whether they must be filled or unique.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { cellOptions, personOption } from '../cell/cell-options.tsx';
import { editNumber, numberFormattingOf, parseNumber } from '../../record-data/cell/number-format.ts';
import type { BasePerson } from '../../record-data/queries.ts';

export interface Rules {
  description: string;
  notNull: boolean;
  unique: boolean;
}

const uniqueTypes: readonly FieldTypeName[] = ['singleLineText', 'longText', 'number', 'date'];
const requiredTypes: readonly FieldTypeName[] = [
  ...uniqueTypes,
  'rating',
  'singleSelect',
  'multipleSelect',
  'user',
  'attachment',
];

export const rulesOf = (field: Field | undefined): Rules => ({
  description: field?.description ?? '',
  notNull: field?.notNull === true,
  unique: field?.unique === true,
});

/** Options and rules as the server takes them: without what the type cannot have. */
export const withRules = (type: FieldTypeName, options: Record<string, unknown>, { notNull, unique }: Rules) => ({
  options,
  ...(requiredTypes.includes(type) ? { notNull } : {}),
  ...(uniqueTypes.includes(type) ? { unique } : {}),
});

interface FieldRulesProps {
  type: FieldTypeName;
  options: Record<string, unknown>;
  rules: Rules;
  people: readonly BasePerson[];
  isMultiple: boolean;
  onRules: (rules: Rules) => void;
  onOptions: (options: Record<string, unknown>) => void;
}

const me = { value: 'me', label: 'The person who creates the record' };

const DefaultValue = ({ type, options, people, isMultiple, onOptions }: FieldRulesProps): ReactNode => {
  const given = options['defaultValue'];
  const set = (value: unknown): void => {
    const { defaultValue: _before, ...rest } = options;
    onOptions(
      value === null || value === '' || (Array.isArray(value) && value.length === 0)
        ? rest
        : { ...rest, defaultValue: value },
    );
  };
  const label = 'Default value';
  const none = { value: '', label: 'None' };
  const [text, setText] = useState(
    typeof given === 'number' ? editNumber(given, numberFormattingOf(options)) : typeof given === 'string' ? given : '',
  );
  switch (type) {
    case 'singleLineText':
    case 'longText':
      return (
        <TextField
          label={label}
          placeholder="None"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            set(event.target.value);
          }}
        />
      );
    case 'number': {
      const number = parseNumber(text, numberFormattingOf(options));
      return (
        <TextField
          label={label}
          placeholder="None"
          inputMode="decimal"
          value={text}
          error={number === undefined ? 'Enter a number' : undefined}
          onChange={(event) => {
            setText(event.target.value);
            const next = parseNumber(event.target.value, numberFormattingOf(options));
            if (next !== undefined) set(next);
          }}
        />
      );
    }
    case 'checkbox':
      return (
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
    case 'date':
      return (
        <SelectField
          label={label}
          value={given === 'now' ? 'now' : ''}
          options={[none, { value: 'now', label: 'When the record is created' }]}
          onValue={set}
        />
      );
    case 'singleSelect': {
      const choices = cellOptions({ type, options }, people) ?? [];
      return choices.length === 0 ? null : (
        <SelectField
          label={label}
          value={typeof given === 'string' && choices.some(({ value }) => value === given) ? given : ''}
          options={[none, ...choices]}
          onValue={set}
        />
      );
    }
    case 'multipleSelect':
    case 'user': {
      const choices =
        type === 'user' ? [me, ...people.map(personOption)] : (cellOptions({ type, options }, people) ?? []);
      const values = [given ?? []].flat().map(String);
      if (choices.length === 0) return null;
      if (type === 'user' && !isMultiple)
        return <SelectField label={label} value={values[0] ?? ''} options={[none, ...choices]} onValue={set} />;
      return (
        <div className="flex flex-col gap-1.5">
          <span className="text-[13px] font-medium text-ink-soft">{label}</span>
          <MultiSelect label={label} values={values} options={choices} placeholder="None" onValues={set} />
        </div>
      );
    }
    default:
      return null;
  }
};

const Check = ({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) => {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5"
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`} className="text-[12px] text-ink-faint">
          {hint}
        </p>
      </div>
    </div>
  );
};

export const FieldRules = (props: FieldRulesProps) => {
  const { type, rules, onRules } = props;
  const [isDescribing, setDescribing] = useState(rules.description !== '');
  return (
    <>
      <DefaultValue key={type} {...props} />
      {requiredTypes.includes(type) && (
        <Check
          label="Required"
          hint="No cell may be empty"
          checked={rules.notNull}
          onChange={(notNull) => onRules({ ...rules, notNull })}
        />
      )}
      {uniqueTypes.includes(type) && (
        <Check
          label="Unique"
          hint="No two records may have the same value"
          checked={rules.unique}
          onChange={(unique) => onRules({ ...rules, unique })}
        />
      )}
      {isDescribing ? (
        <TextAreaField
          label="Description"
          maxLength={10_000}
          value={rules.description}
          onChange={(event) => onRules({ ...rules, description: event.target.value })}
        />
      ) : (
        <Button
          size="small"
          look="ghost"
          className="-ml-2 self-start"
          icon={<Plus size={15} />}
          onClick={() => setDescribing(true)}
        >
          Add a description
        </Button>
      )}
    </>
  );
};
