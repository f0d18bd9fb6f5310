// Two servers behind a balancer, stopped and started in turn under load: no request fails, no event is missed.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { readRecords } from '../chain.ts';
import { openLine } from '../client.ts';
import { type Failures, noFailures } from '../failures.ts';
import { follow } from '../follow.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms, type Served, until } from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { good, openStage, type Stage } from '../stage.ts';
import { type Balancer, openBalancer } from './balancer.ts';

const clients = 16;

interface Load {
  origin: string;
  token: string;
  tableId: string;
  seeds: string[];
  failures: Failures;
  names: Set<string>;
  operations: Set<string>;
  requests: number;
  slowest: number;
  isOver: boolean;
}

const beClient = async (load: Load, random: Random, at: number): Promise<void> => {
  const { call, hangUp } = openLine(load.origin, load.token);
  const params = { tableId: load.tableId };
  for (let round = 0; !load.isOver; round += 1) {
    const name = `made ${at}-${round}`;
    const dice = random.below(4);
    const begun = performance.now();
    const sent =
      dice < 2
        ? call(createRecords, { params, body: { records: [{ fields: { Name: name } }] } })
        : dice === 2
          ? call(updateRecord, {
              params: { ...params, recordId: random.pick(load.seeds) },
              body: { record: { fields: { Count: at * 1_000_000 + round } } },
            })
          : call(listRecords, { params, query: { take: 5 } });
    const reply = await sent.catch((error: Error) => error);
    load.requests += 1;
    load.slowest = Math.max(load.slowest, performance.now() - begun);
    const status = reply instanceof Error ? reply.message : reply.status;
    load.failures.demand(
      status === (dice < 2 ? 201 : 200),
      () => `a request was answered ${status}${reply instanceof Error ? '' : JSON.stringify(reply.body).slice(0, 200)}`,
    );
    if (reply instanceof Error || reply.status >= 300) continue;
    if (dice < 2) load.names.add(name);
    if (dice < 3) load.operations.add(reply.headers['x-operation-id'] as string);
    await sleep(random.below(5));
  }
  hangUp();
};

/** Stops one as an operator would, and starts it again at the same place. */
const restart = async (stage: Stage, at: number, balancer: Balancer, failures: Failures): Promise<number> => {
  const server = stage.servers[at] as Served;
  const begun = Date.now();
  server.kill('SIGTERM');
  await until('the balancer has noticed', () => balancer.readiness()[at] === false);
  const code = await server.ended;
  failures.demand(code === 0, () => `a server that was stopped ended with ${code}: ${server.output().slice(-300)}`);
  const seconds = (Date.now() - begun) / 1_000;
  stage.servers[at] = await stage.start(Number(new URL(server.origin).port));
  await until('the balancer has noticed', () => balancer.readiness()[at] === true);
  return seconds;
};

const roll = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const restarts = scale === 'full' ? 30 : 2;
  const random = randomFrom(seed);
  const failures = noFailures();
  const stage = await openStage(2, { ROWHOUSE_STOP_DELAY: '1' });
  const balancer = await openBalancer(stage.servers.map(({ origin }) => origin));
  const line = openLine(balancer.origin, stage.token);
  const fields = [
    { name: 'Name', type: 'singleLineText' as const },
    { name: 'Count', type: 'number' as const },
  ];
  const table = good(
    await line.call(createTable, { params: { baseId: stage.baseId }, body: { name: 'Load', fields, records: [] } }),
  ).body;
  const seeded = good(
    await line.call(createRecords, {
      params: { tableId: table.id },
      body: { records: Array.from({ length: 20 }, () => ({ fields: { Name: 'seed' } })) },
    }),
  );
  const listener = follow(() => `${balancer.origin}/api/table/${table.id}/events`, stage.token);
  await until('the listener is there', () => listener.comings > 0);
  const load: Load = {
    origin: balancer.origin,
    token: stage.token,
    tableId: table.id,
    seeds: seeded.body.records.map(({ id }) => id),
    failures,
    names: new Set(),
    operations: new Set(),
    requests: 0,
    slowest: 0,
    isOver: false,
  };
  const loads = Array.from({ length: clients }, (_, at) => beClient(load, random.fork(at), at));
  let longestStop = 0;
  try {
    for (let count = 0; count < restarts && failures.list.length === 0; count += 1) {
      await sleep(random.below(500));
      longestStop = Math.max(longestStop, await restart(stage, count % 2, balancer, failures));
      if (count % 5 === 4) say(`${count + 1} restarts, ${load.requests} requests`);
    }
    load.isOver = true;
    await Promise.all(loads);
    failures.none('requests that no server answered', balancer.failed);
    const there = new Set(
      [...(await readRecords(line, table.id)).values()].map((cells) => cells[table.fields[0]?.id as string]),
    );
    failures.none(
      'acknowledged records that are not there',
      [...load.names].filter((name) => !there.has(name)),
    );
    const heard = (): string[] => listener.heard.map(({ data }) => data.operationId as string);
    for (const deadline = Date.now() + 20_000; Date.now() < deadline && new Set(heard()).size < load.operations.size; )
      await sleep(50);
    const known = new Set(heard());
    failures.none(
      'events that were not heard',
      [...load.operations].filter((id) => !known.has(id)),
    );
    failures.demand(known.size === heard().length, () => 'an event was heard twice');
    return {
      figures: {
        'servers behind the balancer': 2,
        restarts,
        clients,
        'requests through the balancer': load.requests,
        'requests that failed': failures.list.length === 0 ? 0 : 'see below',
        'requests sent again because a server took no connection': balancer.passedOn,
        'longest request': `${Math.round(load.slowest)} ms`,
        'longest stop, with one second for the balancer to notice': `${longestStop.toFixed(1)} s`,
        'acknowledged records, all of them there': load.names.size,
        'events heard, each once': heard().length,
        'times that the listener came back': listener.comings - 1,
      },
      failures: failures.list,
    };
  } finally {
    load.isOver = true;
    await Promise.all(loads);
    await listener.stop();
    line.hangUp();
    await balancer.close();
    await stage.close();
  }
};

export const rolling: Part = {
  name: 'rolling',
  title: 'Rolling restart',
  run: (setting) => roll(setting).finally(endPrograms),
};
