// How many runs of a base start in a minute, and what is counted for a month.
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { takeFromMinute } from '../../server/domain/automation/run.sql.ts';
import { openAutomations, until } from '../support/automations.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ automationRunsPerMinute: 2 });

test('of a base no more runs start in a minute than are allowed, also when several servers ask at once', async () => {
  const { baseId } = await openAutomations(world());
  const take = (wanted: number): Promise<number> =>
    world().db.transaction((tx) => takeFromMinute(tx, baseId, wanted, 5));
  const minuteOf = async (): Promise<string> =>
    (await world().db.query<{ minute: string }>(sql`select date_trunc('minute', now())::text as minute`))[0]
      ?.minute as string;
  /** In a fresh minute; once more when the minute turned meanwhile. */
  const inOneMinute = async (work: () => Promise<number[]>): Promise<number[]> => {
    for (;;) {
      await world().db.query(sql`delete from rowhouse.automation_minutes where base_id = ${baseId}`);
      const before = await minuteOf();
      const taken = await work();
      if ((await minuteOf()) === before) return taken;
    }
  };
  expect(await inOneMinute(async () => [await take(3), await take(4), await take(1)])).toEqual([3, 2, 0]);
  const both = await inOneMinute(() => Promise.all([1, 2, 3, 4].map(() => take(2))));
  expect(both.toSorted()).toEqual([0, 1, 2, 2]);
  // What was taken in another minute does not count.
  await world().db.query(
    sql`update rowhouse.automation_minutes set minute = minute - interval '1 minute' where base_id = ${baseId}`,
  );
  expect(await take(5)).toBe(5);
});

test('runs above the limit wait and are done later, each once; all of them count for the month', async () => {
  const { orders, create, automation, ended, texts, logs, runs, baseId, spaceId } = await openAutomations(world());
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [logs('{trigger.Name}')]);
  await create(...Array.from({ length: 5 }, (_, n) => ({ Name: `n${n}` })));
  await until(async () => (await runs(made.id)).length === 5);
  // The minutes go by until each run has had one.
  await until(async () => {
    await world().db.query(
      sql`with next as (update rowhouse.automation_minutes set minute = minute - interval '1 minute' where base_id = ${baseId})
          update rowhouse.jobs set due_time = now() where kind = 'run-automations' and state = 'waiting'`,
    );
    return (await runs(made.id)).every(({ endedTime }) => endedTime !== undefined);
  });
  expect((await ended(made.id, 5)).map(({ state }) => state)).toEqual(Array(5).fill('success'));
  expect((await texts()).toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  const [month] = await world().db.query<{ runs: number }>(
    sql`select sum(runs)::int as runs from rowhouse.automation_months where space_id = ${spaceId}`,
  );
  expect(month?.runs).toBe(5);
});
