// Groups as a reader gets them: with their names, the colours of choices, and the filter that finds their records.
import type { ChartGroup } from '@rowhouse/contract/chart-data.ts';
import type { DateUnit, Grouping } from '@rowhouse/contract/chart.ts';
import { type FilterGroup, validOperators } from '@rowhouse/contract/filter.ts';
import { instantOf } from '@rowhouse/contract/zone.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { formattingOf } from '../cell/kind/date-format.sql.ts';
import { cellTypeOf } from '../cell/types.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { type ChartKey, isWholeLabel } from './chart-key.sql.ts';

type GroupValue = ChartGroup['value'];

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first day of the period so many further. */
export const stepped = (day: string, by: DateUnit, count: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  if (by === 'day' || by === 'week') date.setUTCDate(date.getUTCDate() + count * (by === 'week' ? 7 : 1));
  else if (by === 'year') date.setUTCFullYear(date.getUTCFullYear() + count);
  else date.setUTCMonth(date.getUTCMonth() + count * (by === 'quarter' ? 3 : 1));
  return dayOf(date.getTime());
};

/** The first day of the period that a day is in. */
export const periodOf = (day: string, by: DateUnit): string => {
  const date = new Date(`${day}T00:00:00Z`);
  if (by === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (by === 'month' || by === 'quarter' || by === 'year') date.setUTCDate(1);
  if (by === 'quarter') date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3));
  if (by === 'year') date.setUTCMonth(0);
  return dayOf(date.getTime());
};

const unitOf = ({ by = 'month' }: Grouping): DateUnit => by;

/** Conditions compare dates as far as the format of the field shows them. */
const isShown = ({ date }: { date: string }, by: DateUnit): boolean =>
  date.includes('D') || (by === 'year' && date.includes('Y')) || (date.includes('M') && by !== 'day' && by !== 'week');

const within = (field: FieldSchema, day: string, by: DateUnit): FilterGroup | undefined => {
  const { timeZone, date } = formattingOf(field.options);
  if (!isShown({ date }, by)) return undefined;
  const at = (first: string) => ({
    mode: 'exactDate' as const,
    exactDate: new Date(instantOf(Date.parse(`${first}T00:00:00Z`), timeZone)).toISOString(),
    timeZone,
  });
  return {
    conjunction: 'and',
    filterSet: [
      { fieldId: field.id, operator: 'isOnOrAfter', value: at(day) },
      { fieldId: field.id, operator: 'isBefore', value: at(stepped(day, by, 1)) },
    ],
  };
};

const filterOf = ({ field, grouping }: ChartKey, value: GroupValue): FilterGroup | undefined => {
  const filterField = filterFieldOf(field);
  const allowed = validOperators(filterField);
  const { kind, isMultiple } = cellTypeOf(field);
  if (kind === 'boolean')
    return isMultiple
      ? undefined
      : { conjunction: 'and', filterSet: [{ fieldId: field.id, operator: 'is', value: value === true }] };
  if (value === null)
    return { conjunction: 'and', filterSet: [{ fieldId: field.id, operator: 'isEmpty', value: null }] };
  if (kind === 'date') return isMultiple ? undefined : within(field, String(value), unitOf(grouping));
  if (!isWholeLabel(value)) return undefined;
  const operator = allowed.find((one) => one === 'is' || one === 'hasAnyOf');
  if (operator === undefined) return undefined;
  const wanted = operator === 'hasAnyOf' ? [String(value)] : value;
  return { conjunction: 'and', filterSet: [{ fieldId: field.id, operator, value: wanted }] };
};

export const chartGroup = (key: ChartKey, value: GroupValue, name: string | null): ChartGroup => {
  const { kind } = cellTypeOf(key.field);
  const color =
    kind === 'choice' ? choicesOf(key.field.options).find((choice) => choice.name === value)?.color : undefined;
  const filter = filterOf(key, value);
  return {
    value,
    label: name ?? (value === null ? '' : String(value)),
    ...(color === undefined ? {} : { color }),
    ...(filter === undefined ? {} : { filter }),
  };
};

/** The values between the first and the last one, and choices, that no record has; `values` are in their order. */
export const filled = (
  { field, grouping }: ChartKey,
  values: readonly GroupValue[],
  limit: number,
): readonly GroupValue[] => {
  if (grouping.fill !== true || grouping.sort === 'measure') return values;
  const { kind, isMultiple } = cellTypeOf(field);
  if (kind === 'choice') {
    const names = choicesOf(field.options).map(({ name }) => name);
    const ordered = grouping.order === 'desc' ? names.toReversed() : names;
    const others = values.filter((value) => !names.includes(String(value)) || value === null);
    return [...ordered, ...others].slice(0, limit);
  }
  const days = values.filter((value) => value !== null).map(String);
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  if (kind !== 'date' || isMultiple || first === undefined || last === undefined) return values;
  const all: string[] = [];
  for (let day = first; day <= last && all.length < limit; day = stepped(day, unitOf(grouping), 1)) all.push(day);
  return [...(grouping.order === 'desc' ? all.toReversed() : all), ...(values.includes(null) ? [null] : [])];
};
