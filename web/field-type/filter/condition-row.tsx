import type { Condition, FilterOperator } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { fieldOption } from '../field-type.ts';
import { ConditionValue } from './condition-value.tsx';
import { formOf, hostOf, hostValue, isComparable, newCondition, operatorsOf, takesNothing } from './conditions.ts';
import { operatorWords } from './operator-words.ts';

interface ConditionRowProps {
  condition: Condition;
  /** `2.1`: the first in the group that is second. */
  place: string;
  /** How it is joined to the one before. */
  lead: ReactNode;
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** Fields of another record whose cells it may be compared with. */
  hosts?: readonly Field[] | undefined;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

export const ConditionRow = ({
  condition,
  place,
  lead,
  fields,
  people,
  hosts = [],
  onChange,
  onRemove,
}: ConditionRowProps) => {
  const field = fields.find(({ id }) => id === condition.fieldId);
  if (field === undefined) return null;
  const comparable = hosts.filter((host) => isComparable(field, host, condition.operator));
  const compared = hostOf(condition);
  return (
    <div className="grid grid-cols-[1fr_1fr_auto] items-center gap-2 max-sm:[&>:first-child]:col-span-3 max-sm:[&>:first-child]:w-20 sm:grid-cols-[5rem_minmax(0,1fr)_9rem_minmax(0,1.2fr)_auto]">
      {lead}
      <SelectField
        label={`Field of condition ${place}`}
        hideLabel
        value={field.id}
        options={fields.map(fieldOption)}
        onValue={(id) => {
          const next = fields.find((candidate) => candidate.id === id);
          if (next !== undefined) onChange(newCondition(next));
        }}
      />
      <SelectField
        label={`Operator of condition ${place}`}
        hideLabel
        value={condition.operator}
        options={operatorsOf(field).map((operator) => ({ value: operator, label: operatorWords[operator] }))}
        onValue={(next) => {
          const operator = next as FilterOperator;
          const keeps = !takesNothing(operator) && formOf(field, operator) === formOf(field, condition.operator);
          onChange({ ...condition, operator, value: keeps ? condition.value : null });
        }}
      />
      <div className="flex flex-col gap-1.5 max-sm:order-last max-sm:col-span-3 max-sm:empty:hidden">
        {comparable.length > 0 && (
          <SelectField
            label={`Compared with, condition ${place}`}
            hideLabel
            value={compared ?? ''}
            options={[{ value: '', label: 'this value:' }, ...comparable.map(fieldOption)]}
            onValue={(hostId) =>
              onChange({
                ...condition,
                value: hostId === '' ? null : (hostValue(hostId) as unknown as Condition['value']),
              })
            }
          />
        )}
        {compared === undefined && (
          <ConditionValue
            condition={condition}
            field={field}
            people={people}
            onValue={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
      <IconButton label={`Remove condition ${place}`} onClick={onRemove}>
        <X size={16} />
      </IconButton>
    </div>
  );
};
