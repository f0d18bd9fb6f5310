// Conditions of rights become SQL here: on a record row of any alias, and through links on the records at their other end.
import type { Asker } from '../../catalog/asker.ts';
import type { RecordCondition } from '../../catalog/condition.ts';
import type { SeenItems } from '../../catalog/rights.ts';
import type { Sight } from '../../catalog/sight.ts';
import { type FieldSchema, type RelatedTable, storedField } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { emptyCell } from '../cell/formula.sql.ts';
import { isLink, type Linked, linkedBy, linkedRows, recordsOf } from '../cell/linked.sql.ts';
import { columnOf } from '../cell/types.ts';
import { strictFilterSql } from './filter.sql.ts';

type Table = Pick<RelatedTable, 'byId' | 'related'>;

const throughSql = (linkId: string, met: RecordCondition, table: Table, asker: Asker, alias: string): Sql => {
  const field = table.byId.get(linkId);
  const linked = field !== undefined && isLink(field) ? linkedBy(field) : undefined;
  if (linked === undefined) return sql`false`;
  // Deeper rows get longer names: the row inside must not be called as the one outside.
  const inner = `${alias}t`;
  const { from, where } = linkedRows(linked, (column) => sql.id(alias, column), inner);
  const holds = conditionSql(met, linked.foreign, asker, inner);
  return sql`not exists (select from ${from} where ${where} and (${holds}) is not true)`;
};

/** The fields of the own record that a condition looks at. */
export const fieldsIn = (condition: RecordCondition): string[] => {
  if (typeof condition === 'boolean') return [];
  if ('filter' in condition) return filterFieldIds(condition.filter);
  if ('through' in condition) return [condition.through];
  return ('any' in condition ? condition.any : condition.all).flatMap(fieldsIn);
};

/** Always a condition: what means nothing is false, and so is what is not understood. */
export const conditionSql = (condition: RecordCondition, table: Table, asker: Asker, alias = 'r'): Sql => {
  if (typeof condition === 'boolean') return condition ? sql`true` : sql`false`;
  if ('filter' in condition) return strictFilterSql(condition.filter, table, asker, alias) ?? sql`false`;
  if ('through' in condition) return throughSql(condition.through, condition.met, table, asker, alias);
  const [parts, word] = 'any' in condition ? [condition.any, ' or '] : [condition.all, ' and '];
  if (parts.length === 0) return 'any' in condition ? sql`false` : sql`true`;
  return sql`(${sql.join(
    parts.map((part) => conditionSql(part, table, asker, alias)),
    word,
  )})`;
};

/**
 * Which records a sight shows, on the record row `alias`; null for all. A condition that means nothing any more leaves a view
 * readable, but shows nobody what they were kept from: then there is nothing to see.
 */
export const seenSql = ({ rows, table, asker }: Sight, alias = 'r'): Sql | null =>
  rows === true ? null : conditionSql(rows, table, asker, alias);

/** An item of a link cell, of which the linked record is the row `alias`: without its title where that is hidden. */
const itemSql = (item: Sql, title: RecordCondition, { foreign }: Linked, asker: Asker, alias: string): Sql => {
  if (title === true) return item;
  const untitled = sql`${item} - 'title'`;
  return title === false
    ? untitled
    : sql`case when ${conditionSql(title, foreign, asker, alias)} then ${item} else ${untitled} end`;
};

/** A link cell with those of its records that are seen. */
const seenItems = (field: FieldSchema, { rows, title }: SeenItems, cell: Sql, asker: Asker, alias: string): Sql => {
  const linked = isLink(field) ? linkedBy(field) : undefined;
  if (linked === undefined || rows === false) return emptyCell(field);
  const inner = `${alias}t`;
  const item = itemSql(sql`it.item`, title, linked, asker, inner);
  const from = sql`join ${recordsOf(linked.foreign)} ${sql.id(inner)} on ${sql.id(inner, '__id')} = it.item ->> 'id' where ${conditionSql(rows, linked.foreign, asker, inner)}`;
  return linked.isMultiple
    ? sql`(select jsonb_agg(${item} order by it.at) from jsonb_array_elements(${cell}) with ordinality it(item, at) ${from})`
    : sql`(select ${item} from (select ${cell} as item) it ${from})`;
};

/** What is seen of a cell, on a row `alias` that has the stored columns. */
const seenCell = ({ rule, table, asker }: Sight, field: FieldSchema, alias: string): Sql => {
  const condition = rule.cells?.get(field.id) ?? true;
  const items = rule.items?.get(field.id);
  const cell = columnOf(storedField(field), alias);
  const shown = items === undefined ? cell : seenItems(field, items, cell, asker, alias);
  return condition === true
    ? shown
    : sql`case when ${conditionSql(condition, table, asker, alias)} then ${shown} else ${emptyCell(field)} end`;
};

/** The columns that masked fields of a sight are read from, each after a comma; nothing for other sights. The row `alias` has the stored columns. */
export const maskColumns = (sight: Sight, alias: string): Sql =>
  sight.isMasked
    ? sql.join(
        sight.fields.flatMap((field) =>
          field.seenAs === undefined ? [] : [sql`, ${seenCell(sight, field, alias)} as ${sql.id(field.seenAs)}`],
        ),
        '',
      )
    : sql.empty;

/** Rows with the stored columns, such as those that a statement has written, with what is seen of masked cells. Both are called `alias`; other sights get the rows as they are. */
export const maskedRows = (sight: Sight, rows: Sql, alias: string): Sql =>
  sight.isMasked
    ? sql`(select ${sql.id(alias)}.*${maskColumns(sight, alias)} from ${rows} ${sql.id(alias)}) ${sql.id(alias)}`
    : rows;

/** Which masked fields have the same condition, and that condition on the row `alias`. */
export const maskConditions = (
  { rule: { cells }, table, asker, byId }: Sight,
  alias: string,
): { fieldIds: string[]; condition: Sql }[] => {
  const groups = new Map<string, { fieldIds: string[]; condition: RecordCondition }>();
  for (const [fieldId, condition] of cells ?? []) {
    if (!byId.has(fieldId)) continue;
    const key = JSON.stringify(condition);
    const group = groups.get(key) ?? { fieldIds: [], condition };
    group.fieldIds.push(fieldId);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ fieldIds, condition }) => ({
    fieldIds,
    condition: conditionSql(condition, table, asker, alias),
  }));
};
