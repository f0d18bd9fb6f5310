// The writer of what was decided about shared views (rowhouse.views.decided), when nobody changes the views themselves.
import type { Decided } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { LimitView, LimitViews } from './decision.ts';

/** As they are now, which no snapshot of another table says. */
export const selectLimitViews = async (db: Queryable, viewIds: readonly string[]): Promise<LimitViews> =>
  new Map(
    (viewIds.length === 0
      ? []
      : await many<LimitView>(
          db,
          sql`select id, filter, decided from rowhouse.views where id = any(${viewIds}::text[])`,
        )
    ).map((view) => [view.id, view]),
  );

export interface SharedView {
  viewId: string;
  /** It shows hidden fields, too. */
  isWhole: boolean;
}

export const selectShared = (db: Queryable, viewIds: readonly string[]): Promise<SharedView[]> =>
  many(
    db,
    sql`select view_id as "viewId", coalesce(meta -> 'includeHiddenField' = 'true', false) as "isWhole" from rowhouse.shares where is_on and view_id = any(${viewIds}::text[])`,
    { prepare: true },
  );

/** Those of the tables that have a shared view. */
export const selectSharing = async (db: Queryable, tableIds: readonly string[]): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct v.table_id as id from rowhouse.views v join rowhouse.shares s on s.view_id = v.id where s.is_on and v.table_id = any(${tableIds}::text[])`,
      { prepare: true },
    )
  ).map(({ id }) => id);

/** Tables of the base with a shared view that nobody has decided about since there are decisions. */
export const selectUndecided = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct t.id from rowhouse.tables t join rowhouse.views v on v.table_id = t.id join rowhouse.shares s on s.view_id = v.id
          where t.base_id = ${baseId} and t.deleted_time is null and v.decided is null and s.is_on`,
      { prepare: true },
    )
  ).map(({ id }) => id);

export const updateDecision = async (db: Queryable, viewId: string, decided: Decided): Promise<void> => {
  await db.query(sql`update rowhouse.views set decided = ${JSON.stringify(decided)}::jsonb where id = ${viewId}`);
};

/** Unless somebody has decided meanwhile. */
export const insertDecision = async (db: Queryable, viewId: string, decided: Decided): Promise<void> => {
  await db.query(
    sql`update rowhouse.views set decided = ${JSON.stringify(decided)}::jsonb where id = ${viewId} and decided is null`,
  );
};
