import { type DateOperand, takesNothing, takesSeveral } from '@rowhouse/contract/filter.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { cellOptions } from '../cell/cell-options.tsx';
import { dateFormattingOf, fromInput, toInput } from '../date/date-format.ts';
import { editingOf } from '../cell-editor.tsx';
import type { ConditionValueProps } from '../editor/editor-props.ts';
import { formOf } from './conditions.ts';
import { dateChoices, needsDays } from './operator-words.ts';

const DateValue = ({ condition, field, onValue }: ConditionValueProps) => {
  const formatting = { ...dateFormattingOf(field.options), time: 'None' as const };
  const modes = dateChoices(condition.operator);
  const given =
    typeof condition.value === 'object' && condition.value !== null && !Array.isArray(condition.value)
      ? condition.value
      : undefined;
  const operand: DateOperand = given ?? { mode: modes[0]?.value ?? 'today', timeZone: formatting.timeZone };
  const set = (change: Partial<DateOperand>): void => onValue({ ...operand, timeZone: formatting.timeZone, ...change });
  return (
    <div className="flex gap-2">
      <SelectField
        label="When"
        hideLabel
        className="min-w-0 flex-1"
        value={given === undefined ? '' : operand.mode}
        options={modes}
        onValue={(mode) =>
          onValue({
            mode: mode as DateOperand['mode'],
            timeZone: formatting.timeZone,
            ...(needsDays(mode as DateOperand['mode']) ? { numberOfDays: operand.numberOfDays ?? 7 } : {}),
          })
        }
      />
      {given !== undefined && needsDays(operand.mode) && (
        <input
          type="number"
          min={0}
          aria-label="Days"
          className={`${inputClass} !w-20`}
          value={operand.numberOfDays ?? 7}
          onChange={(event) => set({ numberOfDays: Math.max(0, Math.round(Number(event.target.value))) })}
        />
      )}
      {given?.mode === 'exactDate' && (
        <input
          type="date"
          aria-label="Date"
          className={inputClass}
          value={operand.exactDate === undefined ? '' : toInput(operand.exactDate, formatting)}
          onChange={(event) => {
            const exactDate = fromInput(event.target.value, formatting);
            if (exactDate !== null) set({ exactDate });
          }}
        />
      )}
    </div>
  );
};

/** What a condition compares with, in the form that its field and operator want. */
export const ConditionValue = (props: ConditionValueProps) => {
  const { condition, field, people, onValue } = props;
  if (takesNothing(condition.operator)) return null;
  const options = cellOptions(field, people);
  const several = takesSeveral(condition.operator);
  const Own = editingOf(field.type).ConditionValue;
  if (Own !== undefined && formOf(field, condition.operator) !== 'text') return <Own {...props} />;
  if (options !== undefined && several) {
    return (
      <MultiSelect
        label="Values"
        values={Array.isArray(condition.value) ? condition.value.map(String) : []}
        options={options}
        onValues={onValue}
      />
    );
  }
  if (options !== undefined)
    return (
      <SelectField label="Value" hideLabel value={String(condition.value ?? '')} options={options} onValue={onValue} />
    );
  if (kindOf(field) === 'boolean') {
    return (
      <SelectField
        label="Value"
        hideLabel
        value={String(condition.value === true)}
        options={[
          { value: 'true', label: 'checked' },
          { value: 'false', label: 'not checked' },
        ]}
        onValue={(value) => onValue(value === 'true')}
      />
    );
  }
  if (field.cellValueType === 'dateTime') return <DateValue {...props} />;
  const isNumber = field.cellValueType === 'number';
  return (
    <input
      type={isNumber ? 'number' : 'text'}
      step="any"
      aria-label="Value"
      className={inputClass}
      value={condition.value === null ? '' : String(condition.value)}
      onChange={(event) =>
        onValue(event.target.value === '' ? null : isNumber ? Number(event.target.value) : event.target.value)
      }
    />
  );
};
