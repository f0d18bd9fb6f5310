// A plain evaluator of filters, sorts and groups over rows in memory: slow, obvious, and written without a look at the SQL.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';

export type Cell = string | number | boolean | string[] | null;
export type Row = Record<string, Cell>;

export interface TestField {
  name: string;
  type: FieldTypeName;
  choices?: string[];
  precision?: number;
  timeZone?: string;
}

export interface Order {
  fieldId: string;
  order: 'asc' | 'desc';
}

interface DateValue {
  mode: string;
  timeZone: string;
  numberOfDays?: number;
  exactDate?: string;
}

export type TestFilter =
  | { conjunction: 'and' | 'or'; filterSet: TestFilter[] }
  | { fieldId: string; operator: string; value: unknown };

interface Setting {
  fields: readonly TestField[];
  now: Date;
  me: string;
}

/** The calendar day of an instant, as a number of days; no clock arithmetic, only the calendar of Intl. */
const dayNumber = (instant: Date, timeZone: string): number => {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
};

const calendar = (day: number): Date => new Date(day * 86_400_000);
const dayOf = (year: number, month: number, date: number): number => Date.UTC(year, month, date) / 86_400_000;

const addMonths = (day: number, count: number): number => {
  const date = calendar(day);
  const lastDate = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate();
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + count, Math.min(date.getUTCDate(), lastDate));
};

/** First and last day, both among them. */
const daysOf = ({ mode, timeZone, numberOfDays = 0, exactDate }: DateValue, now: Date): [number, number] => {
  const today = dayNumber(now, timeZone);
  const [year, month] = [calendar(today).getUTCFullYear(), calendar(today).getUTCMonth()];
  const monday = today - ((calendar(today).getUTCDay() + 6) % 7);
  const single = (day: number): [number, number] => [day, day];
  switch (mode) {
    case 'today':
      return single(today);
    case 'tomorrow':
      return single(today + 1);
    case 'yesterday':
      return single(today - 1);
    case 'oneWeekAgo':
      return single(today - 7);
    case 'oneWeekFromNow':
      return single(today + 7);
    case 'oneMonthAgo':
      return single(addMonths(today, -1));
    case 'oneMonthFromNow':
      return single(addMonths(today, 1));
    case 'daysAgo':
      return single(today - numberOfDays);
    case 'daysFromNow':
      return single(today + numberOfDays);
    case 'exactDate':
    case 'exactFormatDate':
      return single(dayNumber(new Date(exactDate as string), timeZone));
    case 'currentWeek':
      return [monday, monday + 6];
    case 'lastWeek':
      return [monday - 7, monday - 1];
    case 'nextWeekPeriod':
      return [monday + 7, monday + 13];
    case 'currentMonth':
      return [dayOf(year, month, 1), dayOf(year, month + 1, 0)];
    case 'lastMonth':
      return [dayOf(year, month - 1, 1), dayOf(year, month, 0)];
    case 'nextMonthPeriod':
      return [dayOf(year, month + 1, 1), dayOf(year, month + 2, 0)];
    case 'currentYear':
      return [dayOf(year, 0, 1), dayOf(year, 11, 31)];
    case 'lastYear':
      return [dayOf(year - 1, 0, 1), dayOf(year - 1, 11, 31)];
    case 'nextYearPeriod':
      return [dayOf(year + 1, 0, 1), dayOf(year + 1, 11, 31)];
    case 'pastWeek':
      return [today - 7, today];
    case 'pastMonth':
      return [addMonths(today, -1), today];
    case 'pastYear':
      return [addMonths(today, -12), today];
    case 'nextWeek':
      return [today, today + 7];
    case 'nextMonth':
      return [today, addMonths(today, 1)];
    case 'nextYear':
      return [today, addMonths(today, 12)];
    case 'pastNumberOfDays':
      return [today - numberOfDays, today];
    case 'nextNumberOfDays':
      return [today, today + numberOfDays];
    default:
      throw new Error(`unknown mode ${mode}`);
  }
};

const holdsForDate = (cell: string, operator: string, value: DateValue, now: Date): boolean => {
  const day = dayNumber(new Date(cell), value.timeZone);
  const [first, last] = daysOf(value, now);
  switch (operator) {
    case 'isBefore':
      return day < first;
    case 'isAfter':
      return day > last;
    case 'isOnOrBefore':
      return day <= last;
    case 'isOnOrAfter':
      return day >= first;
    default:
      return day >= first && day <= last;
  }
};

const negative: Record<string, string> = {
  isNot: 'is',
  doesNotContain: 'contains',
  isNoneOf: 'isAnyOf',
  hasNoneOf: 'hasAnyOf',
  isNotExactly: 'isExactly',
};

const holds = (cell: Cell, operator: string, value: unknown, field: TestField, setting: Setting): boolean => {
  if (operator === 'isEmpty') return cell === null;
  if (operator === 'isNotEmpty') return cell !== null;
  const opposite = negative[operator];
  if (opposite !== undefined) return !holds(cell, opposite, value, field, setting);
  if (field.type === 'checkbox') return (cell === true) === value;
  if (cell === null) return false;
  if (field.type === 'date') return holdsForDate(cell as string, operator, value as DateValue, setting.now);
  if (field.type === 'singleLineText') {
    const [own, wanted] = [(cell as string).toLowerCase(), String(value).toLowerCase()];
    return operator === 'is' ? own === wanted : own.includes(wanted);
  }
  if (typeof cell === 'number') {
    const wanted = value as number;
    return {
      is: cell === wanted,
      isGreater: cell > wanted,
      isGreaterEqual: cell >= wanted,
      isLess: cell < wanted,
      isLessEqual: cell <= wanted,
    }[operator] as boolean;
  }
  const wanted = [value]
    .flat()
    .map((one) => (field.type === 'user' && (one === 'me' || one === 'Me') ? setting.me : one));
  const own = [cell].flat();
  switch (operator) {
    case 'hasAllOf':
      return wanted.every((one) => own.includes(one as never));
    case 'isExactly':
      return own.length === wanted.length && own.every((one) => wanted.includes(one));
    default:
      return own.some((one) => wanted.includes(one));
  }
};

export const evaluate = (filter: TestFilter, row: Row, setting: Setting): boolean => {
  if (!('filterSet' in filter)) {
    const field = setting.fields.find(({ name }) => name === filter.fieldId) as TestField;
    return holds(row[filter.fieldId] ?? null, filter.operator, filter.value, field, setting);
  }
  // A group in which nothing is asked has no effect, also beside others.
  const asked = filter.filterSet.filter((item) => !isBlank(item));
  if (asked.length === 0) return true;
  return filter.conjunction === 'and'
    ? asked.every((item) => evaluate(item, row, setting))
    : asked.some((item) => evaluate(item, row, setting));
};

const isBlank = (filter: TestFilter): boolean => 'filterSet' in filter && filter.filterSet.every(isBlank);

const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** What a cell is sorted by. */
const sortValue = (cell: Cell, field: TestField): string | number | number[] | null => {
  if (cell === null) return null;
  if (field.type === 'singleSelect') return (field.choices as string[]).indexOf(cell as string);
  if (field.type === 'multipleSelect')
    return (cell as string[]).map((name) => (field.choices as string[]).indexOf(name));
  if (typeof cell === 'string') return [...cell].slice(0, 200).join('');
  return cell === true ? 1 : (cell as number);
};

/** What a cell is grouped by: as it is shown. */
const groupValue = (cell: Cell, field: TestField): string | number | number[] | null => {
  if (cell !== null && field.type === 'number')
    return (
      Number(
        new Intl.NumberFormat('en', {
          maximumFractionDigits: field.precision as number,
          useGrouping: false,
          roundingMode: 'halfExpand',
        } as Intl.NumberFormatOptions).format(cell as number),
      ) + 0
    );
  if (cell !== null && field.type === 'date') return dayNumber(new Date(cell as string), field.timeZone as string);
  return sortValue(cell, field);
};

type Key = string | number | number[] | null;

const compareValues = (one: Key, other: Key): number => {
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1;
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
      if (one[at] !== other[at]) return (one[at] as number) - (other[at] as number);
    }
    return one.length - other.length;
  }
  return typeof one === 'string' ? byCodePoint(one, other as string) : (one as number) - (other as number);
};

const fieldOf = (fields: readonly TestField[], name: string): TestField =>
  fields.find((field) => field.name === name) as TestField;

/** For a stable sort: ties stay in the order in which the records were made. */
export const compareKeys = (
  one: Row,
  other: Row,
  { fields, groupBy, orderBy }: { fields: readonly TestField[]; groupBy: Order[]; orderBy: Order[] },
): number => {
  const steps = [
    ...groupBy.map((item) => ({ ...item, valueOf: groupValue })),
    ...orderBy.map((item) => ({ ...item, valueOf: sortValue })),
  ];
  for (const { fieldId, order, valueOf } of steps) {
    const field = fieldOf(fields, fieldId);
    const difference = compareValues(valueOf(one[fieldId] ?? null, field), valueOf(other[fieldId] ?? null, field));
    if (difference !== 0) return order === 'asc' ? difference : -difference;
  }
  return 0;
};

/** What a header shows. */
const headerOf = (cell: Cell, field: TestField): unknown => {
  const value = groupValue(cell, field);
  if (field.type === 'date' && typeof value === 'number') return calendar(value).toISOString().slice(0, 10);
  return field.type === 'number' || field.type === 'singleLineText' ? value : cell;
};

/** `[depth, value]` for headers, the number of records behind the innermost ones. */
export const groupsOf = (
  sorted: readonly Row[],
  groupBy: readonly Order[],
  fields: readonly TestField[],
): unknown[] => {
  if (groupBy.length === 0) return [];
  const points: unknown[] = [];
  let last: string[] = [];
  for (const row of sorted) {
    const path = groupBy.map(({ fieldId }) =>
      JSON.stringify(groupValue(row[fieldId] ?? null, fieldOf(fields, fieldId))),
    );
    const changed = path.findIndex((key, depth) => key !== last[depth]);
    if (changed === -1) points.push((points.pop() as number) + 1);
    else {
      for (let depth = changed; depth < path.length; depth += 1)
        points.push([
          depth,
          headerOf(row[groupBy[depth]?.fieldId as string] ?? null, fieldOf(fields, groupBy[depth]?.fieldId as string)),
        ]);
      points.push(1);
    }
    last = path;
  }
  return points;
};
