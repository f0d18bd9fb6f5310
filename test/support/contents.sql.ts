// All that a database holds for Rowhouse: how its tables are made, where its sequences stand, and every row.
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { selectSequences } from '../../server/domain/backup/snapshot.sql.ts';
import { readStructure } from '../../server/domain/backup/structure.sql.ts';

export interface Contents {
  structure: Record<string, unknown>;
  sequences: unknown[];
  /** Schema and table → number and digest of its rows. */
  rows: Record<string, string>;
}

/** Written beside the requests, a moment after the use that they tell of. */
const notedLater = ['last_used_time', 'last_seen_time'];

export const contentsOf = async (
  url: string,
  leftOut: readonly string[] = ['rowhouse.rate_points', 'rowhouse.presence', 'rowhouse.jobs'],
): Promise<Contents> => {
  const session = await openSession(url);
  try {
    const tables = await session.query<{ schema: string; name: string }>(
      sql`select schemaname as schema, tablename as name from pg_tables where (schemaname = 'rowhouse' or schemaname like 'bse%') order by 1, 2`,
    );
    const rows: Record<string, string> = {};
    for (const { schema, name } of tables) {
      if (leftOut.includes(`${schema}.${name}`)) continue;
      const [found] = await session.query<{ digest: string }>(
        sql`select count(*) || ' ' || md5(coalesce(string_agg(row, ',' order by row), '')) as digest from (select (to_jsonb(t) - ${notedLater}::text[])::text as row from ${sql.id(schema, name)} t) rows`,
      );
      rows[`${schema}.${name}`] = (found as { digest: string }).digest;
    }
    const schemas = [...new Set(tables.map(({ schema }) => schema))];
    const bases = schemas.filter((schema) => schema !== 'rowhouse');
    return {
      structure: Object.fromEntries(await readStructure(session, bases)),
      sequences: await selectSequences(session, schemas),
      rows,
    };
  } finally {
    await session.client.end();
  }
};
