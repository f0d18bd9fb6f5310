// How many runs of a base start in a minute, and what is counted for a month.
import { deleteBase } from '@rowhouse/contract/base.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { selectNextDue, takeFromMinute } from '../../server/domain/automation/run.sql.ts';
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

test('a base is looked at again when a run of it is due, and never when all have ended or it is in the trash', async () => {
  const { orders, create, automation, ended, logs, owner, baseId } = await openAutomations(world());
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'wait', id: 'pause', seconds: 3_600 },
    logs('{trigger.Name}'),
  ]);
  expect(await selectNextDue(world().db, baseId)).toBeNull();
  await create({ Name: 'a' });
  await until(async () => ((await selectNextDue(world().db, baseId)) ?? 0) > 3_000);
  await owner.call(deleteBase, { params: { baseId } });
  expect(await selectNextDue(world().db, baseId)).toBeNull();
  await owner.call(restoreTrash, { params: { trashId: `tra${baseId.slice(3)}` } });
  await world().db.query(
    sql`with due as (update rowhouse.automation_runs set due_time = now() where base_id = ${baseId})
        update rowhouse.jobs set due_time = now() where kind = 'run-automations' and key = ${baseId}`,
  );
  await ended(made.id);
  expect(await selectNextDue(world().db, baseId)).toBeNull();
});
