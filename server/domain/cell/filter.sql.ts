// The one compiler of filters. It knows conditions; where cells are is told by each place that has a filter: a list of records, a lookup,
// a query over a base. `contract/matches.ts` is the same without a database, and test/api/query-equivalence.test.ts compares all of them.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Asker } from '../../catalog/asker.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { zoneOf } from '../../catalog/usable-zone.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf } from './registry.ts';

/** A field at the place of a filter. */
interface FieldHere {
  field: FieldSchema;
  cell: () => Sql;
  /** A quicker way to ask the same, such as by an indexed key; null for conditions that have none. */
  quicker?: (condition: Condition) => Sql | null;
}

/** What the ids in the conditions of a filter stand for. */
export interface Here {
  of: (fieldId: string) => FieldHere | undefined;
  /** Fields of the record that the filter is asked for, which the filter of a conditional lookup compares with. */
  host?: (fieldId: string) => FieldHere | undefined;
}

/** The field of the own record that a condition compares with. */
export const hostFieldOf = ({ value }: { value: unknown }): string | undefined => {
  const { type, fieldId } = (typeof value === 'object' && value !== null ? value : {}) as {
    type?: unknown;
    fieldId?: unknown;
  };
  return type === 'field' && typeof fieldId === 'string' ? fieldId : undefined;
};

const conditionsIn = (filter: FilterGroup | null): Condition[] =>
  (filter?.filterSet ?? []).flatMap((item) => ('filterSet' in item ? conditionsIn(item) : [item]));

/** The fields that a filter names. */
export const filterFieldIds = (filter: FilterGroup | null): string[] =>
  conditionsIn(filter).map(({ fieldId }) => fieldId);

/** The conditions that compare with a cell of the own record. */
export const hostConditions = (filter: FilterGroup | null): Condition[] =>
  conditionsIn(filter).filter((condition) => hostFieldOf(condition) !== undefined);

const kindOf = (field: FieldSchema): string => cellTypeOf(field).kind;

/** Two cells are compared as texts when one of them is a text: the other may be a choice. */
export const areComparedAsText = (field: FieldSchema, other: FieldSchema): boolean =>
  kindOf(field) === 'text' || kindOf(other) === 'text';

/** What two cells are compared by: texts without regard to case, people and records by id, dates by day. */
const comparable = (cell: Sql, field: FieldSchema, other: FieldSchema): Sql => {
  if (areComparedAsText(field, other)) return sql`lower(${cell})`;
  const kind = kindOf(field);
  if (kind === 'person' || kind === 'link') return cellTypeOf(field).filterKey(cell) as Sql;
  if (kind === 'boolean') return sql`coalesce(${cell}, false)`;
  return kind === 'date' ? sql`date_trunc('day', ${cell} at time zone ${sql.literal(zoneOf(field) ?? 'UTC')})` : cell;
};

/** What an index is on to find cells equal to those of `other`; long texts by their beginning. */
export const sameKey = (cell: Sql, field: FieldSchema, other: FieldSchema): Sql =>
  areComparedAsText(field, other) ? sql`lower(left(${cell}, 200))` : comparable(cell, field, other);

const comparisons: Record<string, Sql> = {
  is: sql`=`,
  isNot: sql`is distinct from`,
  isGreater: sql`>`,
  isGreaterEqual: sql`>=`,
  isLess: sql`<`,
  isLessEqual: sql`<=`,
  isAfter: sql`>`,
  isOnOrAfter: sql`>=`,
  isBefore: sql`<`,
  isOnOrBefore: sql`<=`,
};

const comparedWith = (one: FieldHere, operator: string, other: FieldHere): Sql => {
  const [cell, own] = [one.cell(), other.cell()];
  const compared = sql`${comparable(cell, one.field, other.field)} ${comparisons[operator] as Sql} ${comparable(own, other.field, one.field)}`;
  return operator === 'is' && areComparedAsText(one.field, other.field)
    ? sql`(${sameKey(cell, one.field, other.field)} = ${sameKey(own, other.field, one.field)} and ${compared})`
    : compared;
};

const conditionSql = (condition: Condition, here: Here, asker: Asker): Sql | null => {
  const one = here.of(condition.fieldId);
  // Views forget fields that are deleted; what is left behind all the same must not make them unreadable.
  if (one === undefined) return null;
  const hostId = hostFieldOf(condition);
  if (hostId !== undefined) {
    const other = here.host?.(hostId);
    return other === undefined ? sql`false` : comparedWith(one, condition.operator, other);
  }
  const quicker = one.quicker?.(condition) ?? null;
  if (quicker !== null) return quicker;
  const cell = one.cell();
  if (condition.operator === 'isEmpty') return sql`${cell} is null`;
  if (condition.operator === 'isNotEmpty') return sql`${cell} is not null`;
  return condition.value === null ? null : cellTypeOf(one.field).condition(cell, condition, one.field, asker);
};

/** Null when nothing is asked: conditions without a value have no effect, wherever they stand. */
export const compileFilter = (filter: FilterGroup | null, here: Here, asker: Asker): Sql | null => {
  if (filter === null) return null;
  const parts = filter.filterSet
    .map((item) => ('filterSet' in item ? compileFilter(item, here, asker) : conditionSql(item, here, asker)))
    .filter((part) => part !== null);
  return parts.length === 0 ? null : sql`(${sql.join(parts, filter.conjunction === 'and' ? ' and ' : ' or ')})`;
};
