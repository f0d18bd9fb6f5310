import { foldTitle } from '@rowhouse/contract/fold.ts';
import type { Asker } from '../../../catalog/asker.ts';
import { allOf } from '../../../catalog/condition.ts';
import type { SeenItems } from '../../../catalog/rights.ts';
import type { RelatedTable } from '../../../catalog/table.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { foldedSql } from '../../cell/kind/shared.sql.ts';
import { type Linked, recordsOf } from '../../cell/linked.sql.ts';
import { cellTypeOf, columnOf } from '../../cell/types.ts';
import { conditionSql } from '../../query/condition.sql.ts';

/** What the caller sees of the records of the other side, where that is not everything. */
export interface SeenTitles extends SeenItems {
  asker: Asker;
}

/** The records `s` of the other side that the caller sees with their titles. */
const titled = ({ foreign }: Linked, seen: SeenTitles | undefined): Sql =>
  seen === undefined
    ? sql`${recordsOf(foreign)} s`
    : sql`(select s.* from ${recordsOf(foreign)} s where ${conditionSql(allOf([seen.rows, seen.title]), foreign, seen.asker, 's')}) s`;

/** Title → id of a record that shows exactly this one; the oldest of several. */
export const selectByTitle = async (
  db: Queryable,
  linked: Linked,
  titles: readonly string[],
  seen?: SeenTitles,
): Promise<Map<string, string>> => {
  const { title } = linked;
  const shown = cellTypeOf(title).text(columnOf(title, 's'), title);
  const rows = await many<{ title: string; id: string }>(
    db,
    sql`select distinct on (title) title, id from (select ${shown} as title, s.__id as id, s.__auto_number as number from ${titled(linked, seen)}) found where title = any(${titles}::text[]) order by title, number`,
  );
  return new Map(rows.map((row) => [row.title, row.id]));
};

/** The same for titles that no record shows exactly. */
export const selectByFoldedTitle = async (
  db: Queryable,
  linked: Linked,
  titles: readonly string[],
  seen?: SeenTitles,
): Promise<Map<string, string>> => {
  const { title } = linked;
  const shown = cellTypeOf(title).text(columnOf(title, 's'), title);
  const folded = foldedSql(sql`trim(${shown})`);
  const rows = await many<{ folded: string; id: string }>(
    db,
    sql`select distinct on (folded) folded, id from (select ${folded} as folded, s.__id as id, s.__auto_number as number from ${titled(linked, seen)}) found where folded = any(${titles.map(foldTitle)}::text[]) order by folded, number`,
  );
  const byFolded = new Map(rows.map((row) => [row.folded, row.id]));
  return new Map(
    titles.flatMap((one): [string, string][] =>
      [byFolded.get(foldTitle(one))].flatMap((id) => (id === undefined ? [] : [[one, id]])),
    ),
  );
};

/** Those of the records of a table that are there. */
export const selectPresent = async (
  db: Queryable,
  table: Pick<RelatedTable, 'baseId' | 'dbTableName'>,
  ids: readonly string[],
): Promise<Set<string>> => {
  // In one text: 100,000 rows would stop the process for a tenth of a second.
  const [found] = await many<{ ids: string | null }>(
    db,
    sql`select string_agg(__id, ',') as ids from ${recordsOf(table)} where __id = any(${ids}::text[])`,
  );
  return new Set(found?.ids?.split(',') ?? []);
};

/** Of the other side of a link. */
export const selectExisting = (db: Queryable, { foreign }: Linked, ids: readonly string[]): Promise<Set<string>> =>
  selectPresent(db, foreign, ids);

/** Those of the records that are there, with what links to them show, in the order of the ids. */
export const selectTitles = async (
  db: Queryable,
  linked: Linked,
  ids: readonly string[],
  seen?: SeenTitles,
): Promise<{ id: string; title?: string }[]> => {
  const { title } = linked;
  const shown = cellTypeOf(title).text(columnOf(title, 's'), title);
  const rows = await many<{ id: string; title: string | null }>(
    db,
    sql`select s.__id as id, ${shown} as title from ${titled(linked, seen)} where s.__id = any(${ids}::text[]) order by array_position(${ids}::text[], s.__id)`,
  );
  return rows.map((row) => (row.title === null ? { id: row.id } : { id: row.id, title: row.title }));
};
