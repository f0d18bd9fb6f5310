// Cells that are read by their expression, and need cells of other records that are read by theirs: while a job fills a chain of lookups, each of them. Written
// into each other, the expressions would be computed once for every way that leads to a record: 80 records that are all linked to each other, five tables in a
// row, have three billion. So each table on the way is a level: the records that are needed of it, each once, and their cells in a map by id.
import { type FieldSchema, type RelatedTable, siblingsOf } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnTypeSql, formulasOf, isFormula, stepsTo } from './formula.sql.ts';
import { beyond, type Linked, linkedRows, nearOf, recordsOf } from './linked.sql.ts';
import { cellTypeOf, isStored } from './registry.ts';

/** Rows that are called so, or by a name that begins so, are all of those in the rows `idsOf` that name. What leads on from them is computed for all of them at once. */
export const levelAlias = '__level';

const isLevel = (alias: string): boolean => alias.startsWith(levelAlias);

/**
 * What statements call the rows that they write: `updated` those of an update, `settled` those whose computed cells are brought up to date. They are few, and what they
 * lead to is found row by row. A statement that calls its rows otherwise looks through a table, to filter, sort or count it: then all records of the table are asked for.
 */
export const writtenRows = { updated: 'upd', settled: 'u' } as const;

const ofWritten = new Set<string>(Object.values(writtenRows));

/** Also the rows that they lead to. */
const isOfFew = (alias: string): boolean => ofWritten.has(nearOf(alias));

/** Rows of one column, `id`. */
export const idsOf = (alias: string): Sql => sql.id(`${alias}_ids`);

/** The field itself, or those that a formula needs of its record, whose cells are in no column and come from other records. */
export const elsewhereIn = (field: FieldSchema): FieldSchema[] => {
  if (isStored(field) || field.computed?.state === 'broken') return [];
  if (!isFormula(field)) return [field];
  const fields = siblingsOf(field) ?? [];
  const byId = new Map(fields.map((one) => [one.id, one]));
  const references = stepsTo(formulasOf(fields), [field], (one) => !isStored(one)).flatMap(
    ({ formula }) => formula.references,
  );
  return [...new Set(references)].flatMap((id) => {
    const one = byId.get(id);
    return one === undefined || isFormula(one) ? [] : elsewhereIn(one);
  });
};

export const readsElsewhere = (field: FieldSchema): boolean => elsewhereIn(field).length > 0;

interface Level {
  /** Undefined: it is no field of the level. */
  cell: (field: FieldSchema) => Sql | undefined;
  /** To the row of the other table. */
  joined: Sql;
  /** The expression together with what it needs. */
  around: (expression: Sql) => Sql;
}

const none: Level = { cell: () => undefined, joined: sql.empty, around: (expression) => expression };

/** A link, or what is read through one; without a link of all records, among which a filter chooses. */
type Way = Linked | { own: RelatedTable; foreign: RelatedTable; linked: Linked | undefined };

/** The records that are led to: from all rows of a level, from the row of a statement that writes, or from all records of the table; as a select of `id`. */
const ledTo = (way: Way, alias: string): Sql => {
  const { own, foreign } = way;
  const linked = 'linked' in way ? way.linked : way;
  const far = sql.id(beyond('h'), '__id');
  if (linked === undefined) return sql`select ${far} as id from ${recordsOf(foreign)} ${sql.id(beyond('h'))}`;
  const rows = linkedRows(linked, (column) => sql.id(isOfFew(alias) ? alias : 'h', column), beyond('h'));
  const one = sql`select ${far} as id from ${rows.from} where ${rows.where}`;
  if (isOfFew(alias)) return one;
  return sql`select distinct led.id from ${recordsOf(own)} h cross join lateral (${one}) led ${isLevel(alias) ? sql`where h.__id in (select id from ${idsOf(alias)})` : sql.empty}`;
};

/** `fields`: those of the other table whose cells are read elsewhere in turn. */
export const levelOf = (
  way: Way,
  alias: string,
  fields: readonly FieldSchema[],
  columnOf: (field: FieldSchema, alias: string) => Sql,
): Level => {
  if (fields.length === 0) return none;
  const level = isLevel(alias) ? beyond(alias) : levelAlias;
  const places = new Map(fields.map((field, index) => [field.id, sql.id(`${level}_cells`, `c${index}`)]));
  const maps = fields.map(
    (_field, index) =>
      sql`jsonb_object_agg(made.id, ${sql.id('made', `c${index}`)}) filter (where ${sql.id('made', `c${index}`)} is not null) as ${sql.id(`c${index}`)}`,
  );
  const made = fields.map((field, index) => sql`, ${columnOf(field, level)} as ${sql.id(`c${index}`)}`);
  const id = sql.id(beyond(alias), '__id');
  // As `(select …)` without a row of its own it is computed once, however many records ask for it; a join with the rows of the level would read all of them for each.
  const cells = fields.map((field, index) => {
    const map = sql`(select ${sql.id(`c${index}`)} from ${sql.id(`${level}_maps`)})`;
    const { column } = cellTypeOf(field);
    return sql`${column === 'jsonb' ? sql`${map} -> ${id}` : sql`(${map} ->> ${id})::${columnTypeSql[column]}`} as ${sql.id(`c${index}`)}`;
  });
  return {
    cell: (field) => places.get(field.id),
    joined: sql` cross join lateral (select ${sql.join(cells)} offset 0) ${sql.id(`${level}_cells`)}`,
    around: (
      expression,
    ) => sql`(with ${idsOf(level)} as materialized (${ledTo(way, alias)}), ${sql.id(`${level}_maps`)} as materialized (
      select ${sql.join(maps)} from (select ${sql.id(level, '__id')} as id${sql.join(made, '')} from ${recordsOf(way.foreign)} ${sql.id(level)} where ${sql.id(level, '__id')} in (select id from ${idsOf(level)}) offset 0) made) select ${expression})`,
  };
};
