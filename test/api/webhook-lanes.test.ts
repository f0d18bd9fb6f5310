// Which deliveries may be sent: the first of each lane that waits. What their rows say is compared with what it means, after changes drawn by chance, also at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { expect, onTestFinished, test } from 'vitest';
import { many } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import {
  claimDeliveries,
  deleteOldDeliveries,
  insertDeliveries,
  isSince,
  recordAttempt,
  selectNextDue,
  sendAgain,
} from '../../server/domain/webhook/delivery.sql.ts';
import { deliver } from '../../server/domain/webhook/deliver.ts';
import { lockWebhook } from '../../server/domain/webhook/webhook.sql.ts';
import { randomFrom } from '../../proof/random.ts';
import { startDeadEnd } from '../support/receiver.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ webhookNetworks: ['127.0.0.0/8'] });

/** A webhook whose follower and jobs rest: only the test writes its deliveries. */
const quietWebhook = async (url = 'http://127.0.0.1:1/', shop?: Workshop) => {
  const { owner, baseId } = shop ?? (await openWorkshop(world()));
  const body = { name: 'Lanes', url, events: ['record.deleted' as const] };
  const { id } = (await owner.call(createWebhook, { params: { baseId }, body })).body;
  await world().db.query(sql`update rowhouse.webhooks set state = 'off' where id = ${id}`);
  return { id, baseId };
};

const lanes = ['one', 'two', 'three'];
let made = 0;
const insertSome = (id: string, count: number, laneAt: (at: number) => string): Promise<void> =>
  world().db.transaction((tx) =>
    insertDeliveries(
      tx,
      id,
      Array.from({ length: count }, (_, at) => ({
        id: `msg_${id}_${(made += 1)}`,
        event: 'record.created',
        tableId: null,
        recordId: laneAt(at),
        lane: laneAt(at),
        body: '{}',
      })),
    ),
  );

interface Row {
  seq: number;
  attempts: number;
  isFirst: boolean;
  shouldBe: boolean;
}
const rowsOf = (id: string): Promise<Row[]> =>
  many<Row>(
    world().db,
    sql`select d.seq, d.attempts, d.is_first as "isFirst", d.state = 'waiting' and not exists (
            select from rowhouse.webhook_deliveries e where e.webhook_id = d.webhook_id and e.lane = d.lane and e.state = 'waiting' and e.seq < d.seq) as "shouldBe"
        from rowhouse.webhook_deliveries d where d.webhook_id = ${id} order by d.seq`,
  );
const wrongOnes = async (id: string): Promise<Row[]> =>
  (await rowsOf(id)).filter(({ isFirst, shouldBe }) => isFirst !== shouldBe);

const end = async (id: string, which: (firsts: Row[]) => Row | undefined, isDone: boolean): Promise<void> => {
  const one = which((await rowsOf(id)).filter(({ isFirst }) => isFirst));
  const outcome = { milliseconds: 1, status: isDone ? 200 : 500, error: null, answer: null };
  if (one !== undefined) await world().db.transaction((tx) => recordAttempt(tx, id, one, outcome, isDone ? null : 60));
};

test('after any changes the first of each lane, and no other, says that it is', async () => {
  const { id, baseId } = await quietWebhook();
  const random = randomFrom(1);
  for (let turn = 0; turn < 60; turn += 1) {
    const kind = random.below(10);
    if (kind < 3) await insertSome(id, 1 + random.below(4), () => random.pick(lanes));
    else if (kind < 8) await end(id, (firsts) => (firsts.length === 0 ? undefined : random.pick(firsts)), kind < 7);
    else if (kind === 8) {
      const { seq } = (await rowsOf(id)).at(-1 - random.below(5)) ?? { seq: 0 };
      await world().db.transaction(async (tx) => {
        await lockWebhook(tx, baseId, id);
        await sendAgain(tx, id, sql`d.seq >= ${seq}::bigint and d.seq < ${seq}::bigint + 3`);
      });
    } else {
      await world().db.query(
        sql`update rowhouse.webhook_deliveries set created_time = now() - interval '40 days'
            where seq in (select seq from rowhouse.webhook_deliveries where webhook_id = ${id} order by seq limit 2)`,
      );
      expect(await deleteOldDeliveries(world().db, 30, 100)).toBeLessThanOrEqual(2);
    }
    expect(await wrongOnes(id), `after ${turn + 1} changes`).toEqual([]);
  }
});

test('also when they are made and ended at once', async () => {
  const { id, baseId } = await quietWebhook();
  await insertSome(id, 30, (at) => lanes[at % 3] as string);
  await Promise.all([
    ...Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; turn < 12; turn += 1) await insertSome(id, 2, (at) => lanes[(at + writer) % 3] as string);
    }),
    ...lanes.map(async (_lane, at) => {
      for (let turn = 0; turn < 25; turn += 1) await end(id, (firsts) => firsts[at], true);
    }),
    (async () => {
      for (let turn = 0; turn < 4; turn += 1)
        await world().db.transaction(async (tx) => {
          await lockWebhook(tx, baseId, id);
          await sendAgain(tx, id, isSince(new Date(Date.now() - 20)));
        });
    })(),
  ]);
  expect(await wrongOnes(id)).toEqual([]);
  expect((await rowsOf(id)).filter(({ isFirst }) => isFirst).length).toBe(3);
});

test('what may be sent next is read from an index, however much stands behind it', async () => {
  const { id } = await quietWebhook();
  await insertSome(id, 5_000, () => 'busy');
  await world().db.query(sql`analyze rowhouse.webhook_deliveries`);
  // On for this transaction alone: no job takes them meanwhile.
  await world().db.transaction(async (tx) => {
    await tx.query(sql`update rowhouse.webhooks set state = 'on' where id = ${id}`);
    const [plan] = await many(
      tx,
      sql`explain (analyze, timing off, format json) select min(d.due_time) from rowhouse.webhook_deliveries d
          where d.webhook_id = ${id} and d.state = 'waiting' and d.is_first`,
    );
    expect(JSON.stringify(plan)).toContain('webhook_deliveries_due');
    expect(await selectNextDue(tx, id)).toBeLessThanOrEqual(0);
    expect((await claimDeliveries(tx, id, 8, 30)).length).toBe(1);
    // Under way: nothing else may be sent until it has ended.
    expect(await claimDeliveries(tx, id, 8, 30)).toEqual([]);
    await tx.query(sql`update rowhouse.webhooks set state = 'off' where id = ${id}`);
  });
});

test('jobs of several webhooks that look for places at the same moment do not take more than their space has', async () => {
  const deadEnd = await startDeadEnd();
  onTestFinished(() => deadEnd.stop());
  const shop = await openWorkshop(world());
  const ids: string[] = [];
  for (let made = 0; made < 10; made += 1) {
    const { id } = await quietWebhook(deadEnd.url, shop);
    await insertSome(id, 10, (at) => `${id} ${at}`);
    ids.push(id);
  }
  await world().db.query(sql`update rowhouse.webhooks set state = 'on' where id = any(${ids}::text[])`);
  await Promise.all(ids.map((webhookId) => deliver(world().services, { payload: { webhookId } } as never)));
  while (deadEnd.mostAtOnce() < 48) await sleep(20);
  // More than these would have begun with them.
  await sleep(200);
  expect(deadEnd.mostAtOnce()).toBe(48);
});
