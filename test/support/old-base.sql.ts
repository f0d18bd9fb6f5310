// A base as an older version of Rowhouse left it.
import { bumpEpochs } from '../../server/catalog/access.sql.ts';
import { newestBaseVersion } from '../../server/db/base-migrations/steps.ts';
import type { Db } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

/** Takes every step after the first back. */
export const makeOld = async (db: Db, baseId: string): Promise<void> => {
  await db.query(
    sql`alter table ${sql.id(baseId, '__operation')} drop column cause, drop column field_ids, drop column change, drop column window_id, drop column step, drop column step_state, drop column side_effects`,
  );
  for (const name of ['__comment', '__comment_subscription']) await db.query(sql`drop table ${sql.id(baseId, name)}`);
  const [base] = await db.query<{ spaceId: string }>(
    sql`update rowhouse.bases set schema_version = 1 where id = ${baseId} returning space_id as "spaceId"`,
  );
  // Decisions that are remembered say that the base is up to date.
  await bumpEpochs(db, [(base as { spaceId: string }).spaceId]);
};

export const versionOf = async (db: Db, baseId: string): Promise<{ version: number; columns: number }> => {
  const rows = await db.query<{ version: number; columns: number }>(
    sql`select schema_version as version, (
          select count(*)::int from information_schema.columns where table_schema = id and table_name = '__operation' and column_name in ('cause', 'field_ids', 'change', 'window_id', 'step', 'step_state', 'side_effects')
        ) as columns from rowhouse.bases where id = ${baseId}`,
  );
  return rows[0] as { version: number; columns: number };
};

export const old = { version: 1, columns: 0 };
export const upgraded = { version: newestBaseVersion, columns: 7 };
