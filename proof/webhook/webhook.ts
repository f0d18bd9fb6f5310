// Webhooks to a receiver that fails, hangs up, redirects and goes away, with kill -9 of the server and of PostgreSQL: every change of every record arrives, in order,
// and what comes twice has the same id. Each event says what its cell was before: a lost or swapped one breaks the chain.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { openLine } from '../client.ts';
import { noFailures } from '../failures.ts';
import { fall, hurryIn, sum } from '../kill/fall.ts';
import { type Ground, layGround } from '../kill/ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import { randomFrom } from '../random.ts';
import { good } from '../stage.ts';
import { hurryDeliveries } from './hurry.sql.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const writers = 4;

/** Writes rising numbers into records of its own, until `count` are acknowledged or the server falls; answers how many were. */
const write = async (
  { origin, token, tableId, fieldIds }: Ground,
  ids: readonly string[],
  next: Map<string, number>,
  count: number,
  isOver: () => boolean,
): Promise<number> => {
  const line = openLine(origin, token);
  let acknowledged = 0;
  for (let at = 0; acknowledged < count && !isOver(); at += 1) {
    const id = ids[at % ids.length] as string;
    const value = (next.get(id) ?? 0) + 1;
    next.set(id, value);
    const answer = await line
      .call(updateRecords, {
        params: { tableId },
        body: { fieldKeyType: 'id', records: [{ id, fields: { [fieldIds.count]: value } }] },
      })
      .catch(() => undefined);
    if (answer?.status === 200) acknowledged += 1;
    else await sleep(20);
  }
  line.hangUp();
  return acknowledged;
};

/** More than a few, so that many are under way at once. */
const moreRecords = async ({ origin, token, tableId }: Ground): Promise<string[]> => {
  const line = openLine(origin, token);
  const records = Array.from({ length: 40 }, (_, at) => ({ fields: { Name: `told ${at}` } }));
  const made = good(await line.call(createRecords, { params: { tableId }, body: { records } })).body.records;
  line.hangUp();
  return made.map(({ id }) => id);
};

const presentCells = async ({ origin, token, tableId, fieldIds }: Ground): Promise<Map<string, number>> => {
  const line = openLine(origin, token);
  const { records } = good(await line.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } })).body;
  line.hangUp();
  return new Map(records.map(({ id, fields }) => [id, (fields[fieldIds.count] as number | undefined) ?? 0]));
};

const lastOf = (receiver: Receiver): Map<string, number> =>
  new Map(receiver.accepted.map(({ recordId, after }) => [recordId, after]));

const brokenLinks = (receiver: Receiver): string[] => {
  const last = new Map<string, number>();
  return receiver.accepted.flatMap(({ id, recordId, before, after }) => {
    const known = last.get(recordId) ?? 0;
    last.set(recordId, after);
    return (before ?? 0) === known
      ? []
      : [`the delivery ${id} says ${before} became ${after}, and ${recordId} was ${known}`];
  });
};

const run = async ({ seed, scale, requests, say }: Setting): Promise<Outcome> => {
  const [all, allKills] = scale === 'full' ? [10_000, 100] : [100, 2];
  // A part of it, to see how long the whole takes.
  const events = requests ?? all;
  const kills = Math.max(1, Math.round((allKills * events) / all));
  const random = randomFrom(seed);
  const failures = noFailures();
  const laid = await layGround({ ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const { ground } = laid;
  let { server } = laid;
  const receiver = await openReceiver(random.fork(1), () => ground.fieldIds.count);
  const line = openLine(ground.origin, ground.token);
  const { secret } = good(
    await line.call(createWebhook, {
      params: { baseId: ground.baseId },
      body: { name: 'Proof', url: receiver.url, events: ['record.updated'], tableIds: [ground.tableId] },
    }),
  ).body;
  line.hangUp();
  receiver.trust(secret);
  const ids = await moreRecords(ground);
  const next = new Map<string, number>();
  let acknowledged = 0;
  let killed = 0;
  try {
    while (killed < kills || acknowledged < events) {
      const draw = random.fork(100 + killed);
      let isOver = false;
      const share = Math.ceil(Math.max(events - acknowledged, events / kills) / Math.max(1, kills - killed) / writers);
      const loads = Array.from({ length: writers }, (_, at) =>
        write(
          ground,
          ids.filter((_id, index) => index % writers === at),
          next,
          share,
          () => isOver,
        ),
      );
      await sleep(draw.below(2_000));
      await hurryIn(ground, hurryDeliveries, false);
      if (killed < kills) {
        server = await fall(ground, server, {
          count: killed,
          scale,
          draw,
          hurry: hurryDeliveries,
          cutOff: async () => {
            isOver = true;
            acknowledged += sum(await Promise.all(loads));
          },
        });
        killed += 1;
      } else acknowledged += sum(await Promise.all(loads));
      await hurryIn(ground, hurryDeliveries, false);
      if (killed % 10 === 0) say(`${killed} kills, ${acknowledged} changes, ${receiver.accepted.length} arrived`);
    }
    receiver.settle();
    const cells = await presentCells(ground);
    const isThere = (): boolean => {
      const last = lastOf(receiver);
      return [...cells].every(([id, value]) => (last.get(id) ?? 0) === value);
    };
    // Leases of a server that was killed end after half a minute.
    const late = Date.now() + (scale === 'full' ? 600_000 : 120_000);
    while (!isThere() && Date.now() < late) {
      await hurryIn(ground, hurryDeliveries, false);
      await sleep(300);
    }
    const last = lastOf(receiver);
    for (const [id, value] of cells)
      failures.demand(
        (last.get(id) ?? 0) === value,
        () => `${id} is ${value}, and the last that arrived is ${last.get(id) ?? 0}`,
      );
    failures.none('requests that are wrong', receiver.faults);
    failures.none('events out of the chain of their record', brokenLinks(receiver));
  } finally {
    receiver.close();
  }
  return {
    figures: {
      'changes acknowledged': acknowledged,
      'kills of the server, of PostgreSQL and of both': killed,
      'requests to the receiver': receiver.requests(),
      'events accepted, each once and in the order of its record': receiver.accepted.length,
      'doubles, with the same id and body': receiver.doubles(),
    },
    failures: failures.list,
  };
};

export const webhook: Part = {
  name: 'webhook',
  title: 'Webhooks',
  run: (setting) => run(setting).finally(endPrograms),
};
