// What holds for the cells of a field whatever its type: a description, a default, whether they must be filled or unique.
import type { Field } from '@rowhouse/contract/field.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { fieldFormOf } from '../field-forms.ts';
import type { FieldKind } from '../field-type.ts';

export interface Rules {
  description: string;
  notNull: boolean;
  unique: boolean;
}

export const rulesOf = (field: Field | undefined): Rules => ({
  description: field?.description ?? '',
  notNull: field?.notNull === true,
  unique: field?.unique === true,
});

/** Options and rules as the server takes them: without what the type cannot have. */
export const withRules = (type: FieldKind, options: Record<string, unknown>, { notNull, unique }: Rules) => ({
  options,
  ...(fieldFormOf(type).canBeRequired === true ? { notNull } : {}),
  ...(fieldFormOf(type).canBeUnique === true ? { unique } : {}),
});

interface FieldRulesProps {
  type: FieldKind;
  options: Record<string, unknown>;
  rules: Rules;
  people: readonly BasePerson[];
  onRules: (rules: Rules) => void;
  onOptions: (options: Record<string, unknown>) => void;
}

const DefaultValue = ({ type, options, people, onOptions }: FieldRulesProps): ReactNode => {
  const { Default } = fieldFormOf(type);
  const { defaultValue, ...rest } = options;
  return (
    Default !== undefined && (
      <Default
        label="Default value"
        options={options}
        people={people}
        given={defaultValue}
        set={(value) =>
          onOptions(
            value === null || value === '' || (Array.isArray(value) && value.length === 0)
              ? rest
              : { ...rest, defaultValue: value },
          )
        }
      />
    )
  );
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
      {fieldFormOf(type).canBeRequired === true && (
        <Check
          label="Required"
          hint="No cell may be empty"
          checked={rules.notNull}
          onChange={(notNull) => onRules({ ...rules, notNull })}
        />
      )}
      {fieldFormOf(type).canBeUnique === true && (
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
