// The connection on which processes hear of each other: one that cannot listen is given up, not kept beside the next.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBackgroundErrors } from '../../server/background-errors.ts';
import { sql } from '../../server/db/sql.ts';
import { openProcessSignals } from '../../server/realtime/process-signals.ts';
import { useWorld } from '../support/world.ts';
import { changedDb } from '../support/changed-db.ts';

const world = useWorld();

test('a connection on which LISTEN fails is closed before the next is tried', async () => {
  const { db } = world();
  const name = 'rowhouse-signals-test';
  let isBroken = true;
  // A real connection in a state in which nothing but a rollback works.
  const breaking = changedDb(db, {
    async dedicated() {
      const client = await db.dedicated();
      await client.query(`set application_name = '${name}'`);
      if (!isBroken) return client;
      await client.query('begin');
      await client.query('select 1 / 0').catch(() => undefined);
      return client;
    },
  });
  const errors = createBackgroundErrors();
  let regained = 0;
  const signals = openProcessSignals(
    breaking,
    errors,
    () => undefined,
    () => (regained += 1),
  );
  while ((errors.counts().get('signals between processes') ?? 0) < 3) await sleep(50);
  isBroken = false;
  while (regained === 0) await sleep(50);
  const open = await db.query(sql`select pid from pg_stat_activity where application_name = ${name}`);
  expect(open).toHaveLength(1);
  await signals.close();
  while ((await db.query(sql`select pid from pg_stat_activity where application_name = ${name}`)).length > 0)
    await sleep(20);
});
