// Four times more clients than the server works for at once, then clients that take their time: what is accepted is
// right and comes in time, the rest is refused at once, and afterwards everything is as before.
import { createRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { forgetPeak, memoryOf, peakMemoryOf } from '../../bench/process/usage.ts';
import { readRecords } from '../chain.ts';
import { type Line, openLine } from '../client.ts';
import { type Failures, noFailures } from '../failures.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms, type Served } from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { good, openStage, type Stage } from '../stage.ts';
import { type Asked, callTogether } from './caller.ts';
import { count, emptyTally, percentile, shown, type Tally } from './figures.ts';
import { comeSlowly } from './slow.ts';

/** Requests that the server works on at once, by its settings. */
const atOnce = 256;
const clientTimeout = 3;
const megabyte = 1_048_576;
const inMegabytes = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

interface Ground {
  stage: Stage;
  server: Served;
  line: Line;
  tableId: string;
  nameId: string;
  largeTableId: string;
  seeds: string[];
  random: Random;
}

const layGround = async (random: Random): Promise<Ground> => {
  const stage = await openStage(1, {
    ROWHOUSE_REQUESTS_AT_ONCE: String(atOnce),
    ROWHOUSE_CLIENT_TIMEOUT: String(clientTimeout),
  });
  const server = stage.servers[0] as Served;
  const line = openLine(server.origin, stage.token);
  const params = { baseId: stage.baseId };
  const table = good(
    await line.call(createTable, {
      params,
      body: {
        name: 'Load',
        fields: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'Count', type: 'number' },
        ],
        records: [],
      },
    }),
  ).body;
  const large = good(
    await line.call(createTable, {
      params,
      body: { name: 'Large', fields: [{ name: 'Text', type: 'longText' }], records: [] },
    }),
  ).body;
  const made = good(
    await line.call(createRecords, {
      params: { tableId: table.id },
      body: { records: Array.from({ length: 50 }, (_, at) => ({ fields: { Name: `seed ${at}` } })) },
    }),
  );
  for (let times = 0; times < 12; times += 1) {
    good(
      await line.call(createRecords, {
        params: { tableId: large.id },
        body: { records: Array.from({ length: 10 }, () => ({ fields: { Text: 'x'.repeat(100_000) } })) },
      }),
    );
  }
  return {
    stage,
    server,
    line,
    tableId: table.id,
    nameId: table.fields[0]?.id as string,
    largeTableId: large.id,
    seeds: made.body.records.map(({ id }) => id),
    random,
  };
};

let names = 0;

const nextRequest = ({ tableId, seeds, random }: Ground): Asked => {
  const dice = random.below(10);
  const path = `/api/table/${tableId}/record`;
  if (dice < 5) {
    names += 1;
    const mark = `made ${names}`;
    return { method: 'POST', path, mark, body: { records: [{ fields: { Name: mark, Count: names } }] } };
  }
  if (dice < 7)
    return {
      method: 'PATCH',
      path: `${path}/${random.pick(seeds)}`,
      body: { record: { fields: { Count: random.below(1_000_000) } } },
    };
  return dice < 9
    ? { method: 'GET', path: `${path}?take=20` }
    : { method: 'GET', path: '/api/notifications/unread-count' };
};

const crowd = async (
  ground: Ground,
  clients: number,
  seconds: number,
  total: Tally,
): Promise<{ tally: Tally; perSecond: number }> => {
  const tally = emptyTally();
  await callTogether({
    origin: ground.server.origin,
    token: ground.stage.token,
    clients,
    seconds,
    next: () => nextRequest(ground),
    heard: (answered) => {
      count(tally, answered);
      count(total, answered);
    },
    lost: () => {
      tally.lost += 1;
    },
  });
  return { tally, perSecond: Math.round(tally.accepted.length / seconds) };
};

const judge = (failures: Failures, when: string, tally: Tally): void => {
  failures.none(`${when}: answers that are neither success nor refusal`, tally.others);
  failures.demand(
    tally.withoutRetryAfter === 0,
    () => `${when}: ${tally.withoutRetryAfter} refusals without Retry-After`,
  );
  failures.demand(tally.lost === 0, () => `${when}: ${tally.lost} connections were lost`);
};

/** Asks for its health all the while, on a connection that stays open as a balancer does; answers how to stop, and the longest that an answer took. */
const watchHealth = (origin: string, failures: Failures): (() => Promise<number>) => {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      for (const path of ['/health', '/health/ready']) {
        const begun = performance.now();
        const status = await fetch(origin + path).then(
          async (answer) => {
            await answer.arrayBuffer();
            return answer.status;
          },
          () => 0,
        );
        longest = Math.max(longest, performance.now() - begun);
        failures.demand(status === 200, () => `${path} was answered ${status}`);
      }
      await new Promise((passed) => setTimeout(passed, 200));
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longest;
  };
};

const checkRecords = async ({ line, tableId, nameId }: Ground, total: Tally, failures: Failures): Promise<number> => {
  const there = [...(await readRecords(line, tableId)).values()].map((fields) => fields[nameId] as string);
  const known = new Set(there);
  failures.none(
    'acknowledged records that are not there',
    [...total.created].filter((name) => !known.has(name)),
  );
  failures.none(
    'refused records that are there',
    [...total.notCreated].filter((name) => known.has(name)),
  );
  failures.demand(known.size === there.length, () => `${there.length - known.size} records are there twice`);
  return known.size;
};

const overwhelm = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const isFull = scale === 'full';
  const failures = noFailures();
  const ground = await layGround(randomFrom(seed));
  const { server, stage, line } = ground;
  const total = emptyTally();
  try {
    await crowd(ground, 32, isFull ? 5 : 0.5, total);
    const before = await crowd(ground, 32, isFull ? 10 : 1, total);
    say(`32 clients: ${before.perSecond} requests per second`);
    const memoryBefore = memoryOf(server.pid);
    forgetPeak(server.pid);
    const health = watchHealth(server.origin, failures);
    await new Promise((passed) => setTimeout(passed, 500));
    const over = await crowd(ground, 4 * atOnce, isFull ? 60 : 2, total);
    const longestHealth = await health();
    const peak = peakMemoryOf(server.pid);
    judge(failures, 'under overload', over.tally);
    const { accepted, refused } = over.tally;
    say(`${4 * atOnce} clients: ${over.perSecond} accepted per second, ${refused.length} refused`);
    failures.demand(refused.length > 0, () => 'nothing was refused: it was no overload');
    failures.demand(
      !isFull || Math.max(...accepted.slice(-100_000)) < 20_000,
      () => `an accepted request took ${shown(Math.max(...accepted.slice(-100_000)))}`,
    );
    failures.demand(
      !isFull || percentile(refused, 0.99) < 5_000,
      () => `refusals took up to ${shown(percentile(refused, 0.99))}`,
    );
    failures.demand(
      peak - memoryBefore < 500 * megabyte,
      () => `memory grew by ${Math.round((peak - memoryBefore) / megabyte)} MB`,
    );
    await crowd(ground, 32, isFull ? 1 : 0.5, total);
    const after = await crowd(ground, 32, isFull ? 10 : 1, total);
    judge(failures, 'afterwards', after.tally);
    say(`32 clients again: ${after.perSecond} requests per second`);
    failures.demand(
      after.tally.refused.length === 0,
      () => `${after.tally.refused.length} requests were refused afterwards`,
    );
    // In a second beside other tests, speed says nothing.
    failures.demand(
      !isFull || after.perSecond > before.perSecond * 0.6,
      () => `afterwards ${after.perSecond} requests per second, before ${before.perSecond}`,
    );

    const memoryAfter = memoryOf(server.pid);
    const come = (count: number, deaf: number) =>
      comeSlowly({
        origin: server.origin,
        token: stage.token,
        count,
        deaf,
        large: `/api/table/${ground.largeTableId}/record?take=70`,
      });
    const slow = await come(isFull ? 500 : 50, 0);
    // In full as long as they are let.
    const meanwhile = await crowd(ground, 32, isFull ? clientTimeout : 1, total);
    judge(failures, 'beside slow clients', meanwhile.tally);
    failures.demand(
      meanwhile.tally.refused.length === 0,
      () => `${meanwhile.tally.refused.length} requests were refused because of slow clients`,
    );
    const left = await slow.cutOff(clientTimeout * 3 + 10);
    await slow.leave();
    failures.demand(left === 0, () => `${left} of ${slow.count} slow clients were not cut off`);
    say(`beside ${slow.count} slow and silent clients: ${meanwhile.perSecond} requests per second`);

    forgetPeak(server.pid);
    const deaf = await come(0, isFull ? 200 : 10);
    const beside = await crowd(ground, 32, isFull ? 20 : 1, total);
    judge(failures, 'beside deaf clients', beside.tally);
    failures.demand(
      beside.tally.refused.length === 0,
      () => `${beside.tally.refused.length} requests were refused because of deaf clients`,
    );
    await deaf.leave();
    const deafPeak = peakMemoryOf(server.pid);
    failures.demand(
      deafPeak - memoryAfter < 600 * megabyte,
      () => `deaf clients made memory grow by ${Math.round((deafPeak - memoryAfter) / megabyte)} MB`,
    );
    const kept = await checkRecords(ground, total, failures);
    return {
      figures: {
        'requests that the server works on at once': atOnce,
        clients: 4 * atOnce,
        'accepted per second with 32 clients, before': before.perSecond,
        'accepted per second under overload': over.perSecond,
        'refused per second under overload': Math.round(refused.length / (isFull ? 60 : 2)),
        'accepted per second with 32 clients, afterwards': after.perSecond,
        'accepted, half of them within': shown(percentile(accepted, 0.5)),
        'accepted, 99 % within': shown(percentile(accepted, 0.99)),
        'refused, half of them within': shown(percentile(refused, 0.5)),
        'refused, 99 % within': shown(percentile(refused, 0.99)),
        'longest until health was answered': shown(longestHealth),
        'memory before, at the peak, and afterwards': [memoryBefore, peak, memoryAfter].map(inMegabytes).join(', '),
        'slow and silent clients': slow.count,
        'accepted per second beside them': meanwhile.perSecond,
        'clients that ask for 14 MB and take nothing, ten per second': deaf.count,
        'memory at the peak with them': inMegabytes(deafPeak),
        'accepted per second beside them, while their answers are made': beside.perSecond,
        'acknowledged creates, all of them there': total.created.size,
        'refused creates, none of them there': total.notCreated.size,
        records: kept,
      },
      failures: failures.list,
    };
  } finally {
    line.hangUp();
    await stage.close();
  }
};

export const overload: Part = {
  name: 'overload',
  title: 'Overload',
  run: (setting) => overwhelm(setting).finally(endPrograms),
};
