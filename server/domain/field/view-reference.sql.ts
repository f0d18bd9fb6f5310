// Beside view.sql.ts the second writer of rowhouse.views: it writes what views hold of fields, when fields change.
import { isDeepStrictEqual } from 'node:util';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { ViewSchema } from '../../catalog/table.ts';

const referencesOf = ({ columnMeta, filter, sort, group, options }: ViewSchema): unknown => [
  columnMeta,
  filter,
  sort,
  group,
  options,
];

/** Those that have a link for visitors. A field that nobody made in the table itself does not show there by itself. */
export const selectSharedViews = async (db: Queryable, views: readonly ViewSchema[]): Promise<Set<string>> =>
  new Set(
    (
      await many<{ id: string }>(
        db,
        sql`select view_id as id from rowhouse.shares where is_on and view_id = any(${views.map(({ id }) => id)}::text[])`,
      )
    ).map(({ id }) => id),
  );

/** `known`: the views as they are in the database. Most changes of a field leave all of them as they are. */
export const updateReferences = async (
  db: Queryable,
  all: readonly ViewSchema[],
  known: readonly ViewSchema[],
): Promise<void> => {
  const before = new Map(known.map((view) => [view.id, referencesOf(view)]));
  const views = all.filter((view) => !isDeepStrictEqual(before.get(view.id), referencesOf(view)));
  if (views.length === 0) return;
  await db.query(
    sql`update rowhouse.views v
        set column_meta = n."columnMeta", filter = nullif(n.filter, 'null'), sort = nullif(n.sort, 'null'), group_by = nullif(n."group", 'null'), options = n.options
        from jsonb_to_recordset(${JSON.stringify(views)}::jsonb) as n(id text, "columnMeta" jsonb, filter jsonb, sort jsonb, "group" jsonb, options jsonb)
        where v.id = n.id`,
    { prepare: true },
  );
};
