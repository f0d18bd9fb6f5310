// Beside view.sql.ts the second writer of rowhouse.views: it writes what views hold of fields, when fields change. Shares of views that lose
// conditions by it show no records until somebody decides again.
import { isDeepStrictEqual } from 'node:util';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { ViewSchema } from '../../catalog/table.ts';
import { holdFormsBy } from './field.sql.ts';
import { conditionsIn } from './view-reference.ts';

const referencesOf = ({ columnMeta, filter, sort, group, options }: ViewSchema): unknown => [columnMeta, filter, sort, group, options];

/** Those that have a link for visitors. A field that nobody made in the table itself does not show there by itself. */
export const selectSharedViews = async (db: Queryable, views: readonly ViewSchema[]): Promise<Set<string>> =>
  new Set((await many<{ id: string }>(db, sql`select view_id as id from rowhouse.shares where is_on and view_id = any(${views.map(({ id }) => id)}::text[])`)).map(({ id }) => id));

interface ChangedFilter {
  id: string;
  before: unknown;
  /** It has lost conditions. */
  isLess: boolean;
}

/** A share that is held already waits for the filter that it had at first: undoing both changes brings that one back. */
const holdShares = async (db: Queryable, filters: readonly ChangedFilter[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.shares s
        set held_filter = case when s.held_filter is distinct from n.before then coalesce(s.held_filter, case when n."isLess" then n.before end) when n."isLess" then n.before end
        from jsonb_to_recordset(${JSON.stringify(filters)}::jsonb) as n(id text, before jsonb, "isLess" boolean)
        where s.view_id = n.id`,
  );
};

/** `known`: the views as they are in the database. Most changes of a field leave all of them as they are. */
export const updateReferences = async (db: Queryable, all: readonly ViewSchema[], known: readonly ViewSchema[]): Promise<void> => {
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
  const filters = views.flatMap(({ id, filter }): ChangedFilter[] => {
    const before = known.find((view) => view.id === id)?.filter ?? null;
    return isDeepStrictEqual(before, filter) ? [] : [{ id, before, isLess: conditionsIn(filter) < conditionsIn(before) }];
  });
  if (filters.length > 0) await holdShares(db, filters);
  const less = filters.filter(({ isLess }) => isLess);
  if (less.length > 0) await holdFormsBy(db, less.map(({ id }) => id));
};
