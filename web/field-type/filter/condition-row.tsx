import type { Condition, FilterOperator } from '@rowhouse/contract/filter.ts';
import { readerValueOf } from '@rowhouse/contract/reader-value.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { ReactNode } from 'react';
import { TriangleAlert, X } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { fieldOption, fieldTypeOf, kindOfField } from '../field-types.ts';
import { ConditionValue } from './condition-value.tsx';
import {
  type BesidesOf,
  hostOf,
  hostValue,
  isComparable,
  isUnfit,
  keepsValue,
  newCondition,
  operatorsOf,
} from './conditions.ts';
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
  besidesOf?: BesidesOf | undefined;
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
  besidesOf = () => [],
  onChange,
  onRemove,
}: ConditionRowProps) => {
  const field = fields.find(({ id }) => id === condition.fieldId);
  if (field === undefined) return null;
  const comparable = hosts.filter((host) => isComparable(field, host, condition.operator));
  const besides = besidesOf(field, condition.operator);
  const ofReader = readerValueOf(condition.value);
  const nameOf = (value: unknown): string => JSON.stringify(readerValueOf(value));
  const compared = hostOf(condition) ?? (ofReader === undefined ? undefined : nameOf(ofReader));
  const isGone = ofReader !== undefined && !besides.some(({ value }) => nameOf(value) === compared);
  const unfit = isUnfit(condition, field);
  const operators = operatorsOf(field);
  return (
    <div className="grid grid-cols-[1fr_1fr_auto] items-center gap-2 max-lg:[&>:first-child]:col-span-3 max-lg:[&>:first-child]:w-20 lg:grid-cols-[minmax(4rem,5rem)_minmax(7rem,1fr)_minmax(4.5rem,9rem)_minmax(4rem,1.2fr)_auto]">
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
        options={[...operators, ...(operators.includes(condition.operator) ? [] : [condition.operator])].map(
          (operator) => ({ value: operator, label: operatorWords[operator] }),
        )}
        onValue={(next) => {
          const operator = next as FilterOperator;
          const keeps = unfit ? !isUnfit({ ...condition, operator }, field) : keepsValue(condition, field, operator);
          onChange({ ...condition, operator, value: keeps ? condition.value : null });
        }}
      />
      <div className="flex flex-col gap-1.5 max-lg:order-last max-lg:col-span-3 max-lg:empty:hidden">
        {(comparable.length > 0 || besides.length > 0 || isGone) && (
          <SelectField
            label={`Compared with, condition ${place}`}
            hideLabel
            value={compared ?? ''}
            options={[
              { value: '', label: 'this value:' },
              ...comparable.map(fieldOption),
              ...besides.map(({ label, value }) => ({ value: nameOf(value), label })),
              ...(isGone ? [{ value: compared as string, label: 'Cells of the reader that cannot be compared' }] : []),
            ]}
            onValue={(chosen) => {
              const value = besides.find((one) => nameOf(one.value) === chosen)?.value ?? hostValue(chosen);
              onChange({ ...condition, value: chosen === '' ? null : (value as unknown as Condition['value']) });
            }}
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
      {unfit && (
        <p
          role="alert"
          className="col-span-full flex items-start gap-2 rounded-lg bg-warn-soft px-2.5 py-1.5 text-[13px] text-warn"
        >
          <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden />
          {`This condition has no effect: it no longer fits ${field.name}, which is now of the type ${fieldTypeOf(kindOfField(field)).label}. Choose another operator or value, or remove the condition.`}
        </p>
      )}
    </div>
  );
};
