// SQL access: the reader of one base tries every table there is.
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import pg from 'pg';
import { many } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import type { World } from '../../test/support/world.ts';
import type { Estate } from '../estate.ts';

export const tryReader = async (
  world: World,
  { owner, things }: Estate,
): Promise<{ failures: string[]; tried: number }> => {
  const { baseId } = things;
  const { status, body, error } = await owner.call(createDbConnection, { params: { baseId } });
  if (status !== 201) return { failures: [`no SQL access: ${JSON.stringify(error)}`], tried: 0 };
  const tables = await many<{ schema: string; name: string }>(
    world.db,
    sql`select schemaname as schema, tablename as name from pg_tables where schemaname = 'rowhouse' or schemaname like 'bse%' order by 1, 2`,
  );
  const address = new URL(world.databaseUrl);
  address.username = body.dsn.user;
  address.password = body.dsn.pass ?? '';
  const reader = new pg.Client({ connectionString: address.href });
  await reader.connect();
  const failures: string[] = [];
  for (const { schema, name } of tables) {
    const outcome = await reader.query(`select * from "${schema}"."${name.replaceAll('"', '""')}" limit 1`).then(
      () => 'read',
      () => 'refused',
    );
    const isOwn = schema === baseId && !name.startsWith('__');
    if (outcome === 'read' && !isOwn) failures.push(`the reader of ${baseId} can read ${schema}.${name}`);
  }
  await reader.end();
  return { failures, tried: tables.length };
};
