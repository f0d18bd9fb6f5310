import type { Condition, FilterOperator } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { BasePerson } from '../editor/editor-props.ts';
import { fieldOption } from '../field-type.ts';
import { ConditionValue } from './condition-value.tsx';
import { formOf, newCondition, operatorsOf, takesNothing } from './conditions.ts';
import { operatorWords } from './operator-words.ts';

export interface ConditionRowProps {
  condition: Condition;
  /** `2.1`: the first in the group that is second. */
  place: string;
  /** How it is joined to the one before. */
  lead: ReactNode;
  fields: readonly Field[];
  people: readonly BasePerson[];
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

export const ConditionRow = ({ condition, place, lead, fields, people, onChange, onRemove }: ConditionRowProps) => {
  const field = fields.find(({ id }) => id === condition.fieldId);
  if (field === undefined) return null;
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
      <div className="max-sm:order-last max-sm:col-span-3 max-sm:empty:hidden">
        <ConditionValue condition={condition} field={field} people={people} onValue={(value) => onChange({ ...condition, value })} />
      </div>
      <IconButton label={`Remove condition ${place}`} onClick={onRemove}>
        <X size={16} />
      </IconButton>
    </div>
  );
};
