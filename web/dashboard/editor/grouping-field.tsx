// What records are grouped by: a field, for dates how wide the groups are, and in which order they stand.
import { type DateUnit, dateUnits, type Grouping } from '@rowhouse/contract/chart.ts';
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import { fieldOption } from '../../field-type/field-types.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { groupable, groupingOf, isDateField } from '../chart-draft.ts';

const unitWords: Record<DateUnit, string> = {
  day: 'By day',
  week: 'By week',
  month: 'By month',
  quarter: 'By quarter',
  year: 'By year',
};

export const unitOptions = dateUnits.map((value) => ({ value, label: unitWords[value] }));

interface GroupingFieldProps {
  label: string;
  grouping: Grouping | null;
  fields: readonly Field[];
  /** It may be left out: what is said then. */
  none?: string;
  /** Order, limit, empty groups. */
  hasOrder?: boolean;
  onChange: (grouping: Grouping | null) => void;
}

const orders = (field: Field | undefined) => [
  { value: 'field asc', label: field !== undefined && isDateField(field) ? 'Oldest first' : 'Order of the field' },
  {
    value: 'field desc',
    label: field !== undefined && isDateField(field) ? 'Newest first' : 'Reverse order of the field',
  },
  { value: 'measure desc', label: 'Largest value first' },
  { value: 'measure asc', label: 'Smallest value first' },
];

export const GroupingField = ({ label, grouping, fields, none, hasOrder = false, onChange }: GroupingFieldProps) => {
  const field = fields.find(({ id }) => id === grouping?.fieldId);
  const isDate = field !== undefined && isDateField(field);
  const canFill = isDate || (field !== undefined && kindOf(field) === 'choice');
  const change = (part: Partial<Grouping>): void => {
    if (grouping !== null) onChange({ ...grouping, ...part });
  };
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex items-end gap-2">
        <SelectField
          label={label}
          className="min-w-0 flex-1"
          value={grouping?.fieldId ?? ''}
          options={[...(none === undefined ? [] : [{ value: '', label: none }]), ...groupable(fields).map(fieldOption)]}
          onValue={(id) => {
            const next = fields.find((one) => one.id === id);
            onChange(next === undefined ? null : groupingOf(next));
          }}
        />
        {isDate && (
          <SelectField
            label={`${label}: period`}
            hideLabel
            className="w-32 shrink-0"
            value={grouping?.by ?? 'month'}
            options={unitOptions}
            onValue={(by) => change({ by: by as DateUnit })}
          />
        )}
      </div>
      {hasOrder && grouping !== null && field !== undefined && (
        <>
          <div className="flex items-end gap-2">
            <SelectField
              label="Order"
              className="min-w-0 flex-1"
              value={`${grouping.sort ?? 'field'} ${grouping.order ?? 'asc'}`}
              options={orders(field)}
              onValue={(value) => {
                const [sort, order] = value.split(' ') as ['field' | 'measure', 'asc' | 'desc'];
                change({ sort, order });
              }}
            />
            <TextField
              label="Show at most"
              type="number"
              min={1}
              max={1000}
              placeholder="All"
              className="w-28 shrink-0"
              value={grouping.limit ?? ''}
              onChange={(event) => {
                const { limit: _limit, ...rest } = grouping;
                const limit = Math.round(Number(event.target.value));
                onChange(limit >= 1 && limit <= 1_000 ? { ...rest, limit } : rest);
              }}
            />
          </div>
          <div className="flex flex-wrap gap-x-5 gap-y-1.5">
            {canFill && (
              <CheckField
                label={isDate ? 'Show periods without records' : 'Show choices without records'}
                checked={grouping.fill === true}
                onChecked={(fill) => change({ fill })}
              />
            )}
            <CheckField
              label="Leave out empty cells"
              checked={grouping.omitEmpty === true}
              onChecked={(omitEmpty) => change({ omitEmpty })}
            />
          </div>
        </>
      )}
    </div>
  );
};
