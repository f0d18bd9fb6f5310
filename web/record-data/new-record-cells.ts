// What a new record gets so that it stands where it was made: what the filter of the view determines, and the values of
// the group. The rest of a filter (more than 5, contains "a") says what a cell must not be, not what it is.
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import { type Condition, type DateOperand, type FilterGroup, isMe } from '@rowhouse/contract/filter.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import type { BasePerson } from './queries.ts';

// A record that was just added is shown before the server has made it, under an id of our own.
let last = 0;

export const temporaryId = (): string => `new:${(last += 1)}`;

export const isTemporary = (recordId: string): boolean => recordId.startsWith('new:');

/** With this the server makes a record once, even if it is asked again because its answer was lost. */
export const onceKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const day = 86_400_000;

const dateOf = ({ mode, exactDate, numberOfDays = 0, timeZone }: DateOperand, now: number): string | undefined => {
  if (mode === 'exactDate') return exactDate;
  const days = {
    today: 0,
    tomorrow: 1,
    yesterday: -1,
    daysAgo: -numberOfDays,
    daysFromNow: numberOfDays,
    oneWeekAgo: -7,
    oneWeekFromNow: 7,
  }[mode as string];
  return days === undefined
    ? undefined
    : new Date(instantOf(Math.floor(wallOf(now, timeZone) / day) * day + days * day, timeZone)).toISOString();
};

/** Who the people of a filter are. */
interface Company {
  people: readonly BasePerson[];
  ownId: string;
}

const personCell = (id: unknown, { people, ownId }: Company): unknown => {
  const person = people.find((candidate) => candidate.id === (isMe(id) ? ownId : id));
  return person === undefined ? undefined : { id: person.id, title: person.name, email: person.email };
};

/** undefined: the condition leaves it open. */
const determined = ({ operator, value }: Condition, field: Field, company: Company, now: number): unknown => {
  if (value === null || field.isComputed === true) return undefined;
  const several = Array.isArray(value) ? value : [];
  const isList = field.isMultipleCellValue === true;
  const names =
    operator === 'isExactly' || operator === 'hasAllOf'
      ? several
      : operator === 'isAnyOf' || operator === 'hasAnyOf'
        ? several.slice(0, several.length === 1 ? 1 : 0)
        : operator === 'is' && !Array.isArray(value)
          ? [value]
          : [];
  if (names.length === 0) return undefined;
  const kind = kindOf(field);
  if (kind === 'person') {
    const cells = names.map((id) => personCell(id, company));
    return cells.includes(undefined) ? undefined : isList ? cells : cells[0];
  }
  if (kind === 'link') {
    const cells = names.map((id) => ({ id: String(id) }));
    return isList ? cells : cells[0];
  }
  if (kind === 'date') return typeof value === 'object' && !Array.isArray(value) ? dateOf(value, now) : undefined;
  if (kind === 'boolean') return value === true ? true : undefined;
  return isList ? names : names[0];
};

/** Conditions that all have to be met. */
const demanded = (item: Condition | FilterGroup): Condition[] => {
  if (!('filterSet' in item)) return [item];
  return item.conjunction === 'and' || item.filterSet.length === 1 ? item.filterSet.flatMap(demanded) : [];
};

export const cellsOfFilter = (
  view: View,
  fields: readonly Field[],
  company: Company,
  now: number = Date.now(),
): Record<string, unknown> =>
  Object.fromEntries(
    (view.filter === undefined ? [] : demanded(view.filter as FilterGroup)).flatMap(
      (condition): [string, unknown][] => {
        const field = fields.find(({ id }) => id === condition.fieldId);
        const value = field === undefined ? undefined : determined(condition, field, company, now);
        return value === undefined ? [] : [[condition.fieldId, value]];
      },
    ),
  );

/** The cells of a record that stands in the group already are right to the letter; a header only says the day of a date. */
export const cellsOfGroup = (
  around: readonly { depth: number; value: unknown }[],
  fields: readonly (Field | undefined)[],
  neighbour: RecordVo | undefined,
): Record<string, unknown> =>
  Object.fromEntries(
    around.flatMap(({ depth, value }): [string, unknown][] => {
      const field = fields[depth];
      if (field === undefined || field.isComputed === true) return [];
      const cell =
        neighbour === undefined ? (kindOf(field) === 'date' ? undefined : value) : neighbour.fields[field.id];
      return cell === undefined || cell === null || cell === false ? [] : [[field.id, cell]];
    }),
  );

/** What a record that is there already needs to stand in a group, empty cells too. Undefined: nobody can write it, or it is not known. */
export const cellsToJoin = (
  around: readonly { depth: number; value: unknown }[],
  fields: readonly (Field | undefined)[],
  neighbour: RecordVo | undefined,
): Record<string, unknown> | undefined => {
  const cells = around.map(({ depth, value }): readonly [string, unknown] | undefined => {
    const field = fields[depth];
    if (field === undefined || field.isComputed === true) return undefined;
    if (neighbour !== undefined) return [field.id, neighbour.fields[field.id] ?? null];
    // The header of a group of dates only says the day.
    if (value != null && kindOf(field) === 'date') return undefined;
    return [field.id, value === false ? null : (value ?? null)];
  });
  return cells.every((cell) => cell !== undefined) ? Object.fromEntries(cells) : undefined;
};
