// Whether cells meet a filter, without a database: forms ask it while they are filled in, and again when they are submitted.
// It agrees with the SQL of lists (test/api/query-equivalence.test.ts).
import { dateRange } from './date-range.ts';
import { kindOf } from './field.ts';
import { type Condition, conditionFits, type DateOperand, type FilterField, type FilterGroup, isMe } from './filter.ts';

export interface MatchField extends FilterField {
  options: Record<string, unknown>;
}

/** Who `me` is, and when today is. */
export interface Asker {
  userId: string;
  now: Date;
}

const opposites: Record<string, string> = {
  isNot: 'is',
  doesNotContain: 'contains',
  isNoneOf: 'isAnyOf',
  hasNoneOf: 'hasAnyOf',
  isNotExactly: 'isExactly',
};

const millis = (instant: string): number =>
  instant === 'infinity'
    ? Number.POSITIVE_INFINITY
    : instant === '-infinity'
      ? Number.NEGATIVE_INFINITY
      : Date.parse(instant);

const holdsDate = (
  cell: string,
  operator: string,
  operand: DateOperand,
  field: MatchField,
  { now }: Asker,
): boolean => {
  const { date = 'YYYY-MM-DD' } = (field.options['formatting'] ?? {}) as { date?: string };
  const range = dateRange(operand, now, { date });
  const [at, start, end] = [Date.parse(cell), millis(range.start), millis(range.end)];
  switch (operator) {
    case 'isBefore':
      return at < start;
    case 'isAfter':
      return at >= end;
    case 'isOnOrBefore':
      return at < end;
    case 'isOnOrAfter':
      return at >= start;
    default:
      return at >= start && at < end;
  }
};

const holdsNumber = (cell: number, operator: string, value: number): boolean => {
  switch (operator) {
    case 'isGreater':
      return cell > value;
    case 'isGreaterEqual':
      return cell >= value;
    case 'isLess':
      return cell < value;
    case 'isLessEqual':
      return cell <= value;
    default:
      return cell === value;
  }
};

/** The names of choices, the ids of people. */
const itemsOf = (cell: unknown): string[] =>
  [cell]
    .flat()
    .map((one) => (typeof one === 'object' && one !== null ? String((one as { id?: unknown }).id) : String(one)));

/** As the server joins linked records: one without a title is left out. */
const titlesOf = (cell: unknown): string =>
  [cell]
    .flat()
    .flatMap((one) => (one as { title?: unknown } | null)?.title ?? [])
    .join(', ')
    .toLowerCase();

const holdsItems = (items: readonly string[], operator: string, wanted: readonly string[]): boolean => {
  const hasAll = wanted.every((one) => items.includes(one));
  if (operator === 'hasAllOf') return hasAll;
  if (operator === 'isExactly') return hasAll && items.every((one) => wanted.includes(one));
  return wanted.some((one) => items.includes(one));
};

const holds = (
  cell: unknown,
  operator: string,
  value: NonNullable<Condition['value']>,
  field: MatchField,
  asker: Asker,
): boolean => {
  const opposite = opposites[operator];
  if (opposite !== undefined) return !holds(cell, opposite, value, field, asker);
  const kind = kindOf(field);
  // As in Teable: a list of booleans counts as true.
  if (kind === 'boolean') return (field.isMultiple ? cell !== null : cell === true) === value;
  if (cell === null || cell === undefined) return false;
  // What is asked of a list is asked of its items.
  if (Array.isArray(cell) && (kind === 'text' || kind === 'number' || kind === 'date'))
    return cell.some((item) => holds(item, operator, value, { ...field, isMultiple: false }, asker));
  switch (kind) {
    case 'date':
      return holdsDate(cell as string, operator, value as DateOperand, field, asker);
    case 'number':
      return holdsNumber(cell as number, operator, value as number);
    case 'text': {
      const [own, wanted] = [String(cell).toLowerCase(), String(value).toLowerCase()];
      return operator === 'is' ? own === wanted : own.includes(wanted);
    }
    case 'link':
      if (operator === 'contains') return titlesOf(cell).includes(String(value).toLowerCase());
      return holdsItems(itemsOf(cell), operator, [value].flat().map(String));
    default:
      return holdsItems(
        itemsOf(cell),
        operator,
        [value].flat().map((one) => (kind === 'person' && isMe(one) ? asker.userId : String(one))),
      );
  }
};

type Fields = ReadonlyMap<string, MatchField>;
type Cells = Readonly<Record<string, unknown>>;

const conditionHolds = (condition: Condition, fields: Fields, cells: Cells, asker: Asker): boolean | null => {
  const { fieldId, operator, value } = condition;
  const field = fields.get(fieldId);
  if (field === undefined || !conditionFits(condition, field)) return null;
  const cell = cells[fieldId] ?? null;
  if (operator === 'isEmpty') return cell === null;
  if (operator === 'isNotEmpty') return cell !== null;
  return value === null ? null : holds(cell, operator, value, field, asker);
};

/** null: nothing in it has an effect. */
const groupHolds = (
  { conjunction, filterSet }: FilterGroup,
  fields: Fields,
  cells: Cells,
  asker: Asker,
): boolean | null => {
  const parts = filterSet
    .map((item) =>
      'filterSet' in item ? groupHolds(item, fields, cells, asker) : conditionHolds(item, fields, cells, asker),
    )
    .filter((part) => part !== null);
  if (parts.length === 0) return null;
  return conjunction === 'and' ? parts.every(Boolean) : parts.some(Boolean);
};

/** As `matches`; null when nothing in the filter has an effect. */
export const matchOf = (filter: FilterGroup, fields: Fields, cells: Cells, asker: Asker): boolean | null =>
  groupHolds(filter, fields, cells, asker);

/** Fields and cells by the ids that the conditions name. */
export const matches = (filter: FilterGroup | null | undefined, fields: Fields, cells: Cells, asker: Asker): boolean =>
  filter == null || (groupHolds(filter, fields, cells, asker) ?? true);
