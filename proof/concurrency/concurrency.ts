// Many clients, two servers, one database: random operations at once, and a model in memory that must be equal.
import { setTimeout as sleep } from 'node:timers/promises';
import { listTables } from '@rowhouse/contract/table.ts';
import { recountUsage } from '../../server/domain/plan/recount-usage.ts';
import { checkEnds, emptyChain, readChain, readRecords } from '../chain.ts';
import { type Line, openLine, patientLine, type Reply } from '../client.ts';
import { noFailures } from '../failures.ts';
import { type StreamReader, follow } from '../follow.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import { randomFrom } from '../random.ts';
import { openStage } from '../stage.ts';
import { selectOperations } from './operations.sql.ts';
import { compareOwn, newOwnTable, type Owner, stepOwn } from './own.ts';
import { replay } from './replay.ts';
import { stepShared } from './shared.ts';
import { newSharedTable, type SharedTable, type World } from './world.ts';

const clients = 32;

/** A change of fields that waited for others for five seconds. On a cluster each of them takes so long that thirty-two clients can be that many ahead. */
const isPutOff = ({ status, headers }: Reply<unknown>): boolean =>
  status === 409 && headers['retry-after'] !== undefined;

/** Works until all have done their share together. */
const beClient = async (owner: Owner): Promise<void> => {
  const { world, random } = owner;
  const client = { world, random, field: undefined };
  while (world.requests < world.limit && world.failures.list.length === 0) {
    if (random.once(2)) await stepShared(client);
    else await stepOwn(owner);
  }
};

const checkShared = async (world: World, table: SharedTable, listeners: StreamReader[]): Promise<void> => {
  const { failures, stage } = world;
  const line = world.lines[0] as Line;
  const found = await readRecords(line, table.id);
  const operations = await selectOperations(stage.db, stage.baseId, table.id);
  replay(table, operations, found, failures);
  const chain = emptyChain();
  await readChain(line, table.id, chain, failures);
  checkEnds(chain, found, new Set([...Object.values(table.fieldIds), ...table.added]), failures);
  for (const { heard } of listeners) {
    const ids = (): string[] => heard.map(({ data }) => data.operationId as string);
    // The first is the table itself, from before anybody listened.
    for (const deadline = Date.now() + 30_000; Date.now() < deadline && ids().length < operations.length - 1; )
      await sleep(50);
    const known = new Set(ids());
    failures.none(
      'events that were not heard',
      operations.slice(1).filter(({ id }) => !known.has(id)),
    );
    failures.demand(known.size === ids().length, () => 'an event was heard twice');
  }
};

const checkTables = async (world: World, owners: readonly Owner[]): Promise<void> => {
  const { stage, failures, tables } = world;
  const listed = await (world.lines[0] as Line).call(listTables, { params: { baseId: stage.baseId } });
  const expected = new Set([...tables.map(({ id }) => id), ...owners.map(({ table }) => table.id)]);
  failures.none(
    'tables that should not be there',
    listed.body.map(({ id }) => id).filter((id) => !expected.has(id)),
  );
  failures.demand(
    listed.body.length === expected.size,
    () => `there are ${listed.body.length} tables instead of ${expected.size}`,
  );
  failures.none('usage differs from a recount', await recountUsage(stage.db, { repair: false }));
  const deadlocks = await stage.deadlocks();
  failures.demand(deadlocks.count === 0, () => [`${deadlocks.count} deadlocks`, ...deadlocks.said].join('\n'));
};

const compete = async ({ seed, scale, requests, say }: Setting): Promise<Outcome> => {
  const random = randomFrom(seed);
  const stage = await openStage(2);
  let count = 0;
  let putOff = 0;
  const lines = stage.servers.map(({ origin }) => {
    const line = openLine(origin, stage.token);
    return stage.isCluster ? patientLine(line, isPutOff, async () => void (putOff += 1)) : line;
  });
  const world: World = {
    stage,
    lines,
    failures: noFailures(),
    tables: [
      await newSharedTable(lines[0] as Line, stage.baseId, 'One'),
      await newSharedTable(lines[1] as Line, stage.baseId, 'Two'),
    ],
    statuses: new Map(),
    requests: 0,
    limit: requests ?? (scale === 'full' ? 100_000 : 300),
    nextCount: () => (count += 1),
  };
  const { failures, tables } = world;
  // Two that stay, and one that leaves all the time and comes back, to either server in turn.
  const followersOf = ({ id }: SharedTable): StreamReader[] => {
    let visits = 0;
    const next = (): string =>
      (stage.servers[(visits += 1) % stage.servers.length] as (typeof stage.servers)[0]).origin;
    const urlOn = (origin: string): string => `${origin}/api/table/${id}/events`;
    return [
      ...stage.servers.map(({ origin }) => follow(() => urlOn(origin), stage.token)),
      follow(() => urlOn(next()), stage.token, 300),
    ];
  };
  const followers = new Map(tables.map((table) => [table, followersOf(table)]));
  const listeners = [...followers.values()].flat();
  while (listeners.some(({ comings }) => comings === 0)) await sleep(20);
  const owners = Array.from(
    { length: scale === 'full' ? clients : 6 },
    (_, at): Owner => ({
      world,
      random: random.fork(at),
      title: `Own ${at}`,
      table: undefined as never,
      added: [],
      rows: [],
      last: undefined,
    }),
  );
  // One after the other: thirty-two new tables of one base at once wait for each other, which is not the subject.
  for (const owner of owners) await newOwnTable(owner);
  const begun = Date.now();
  const timer = setInterval(() => say(`${world.requests} requests`), 15_000);
  try {
    await Promise.all(owners.map(beClient));
    const seconds = (Date.now() - begun) / 1_000;
    say(`${world.requests} requests; comparing`);
    const beforeComparing = world.requests;
    await Promise.all(owners.map(compareOwn));
    for (const [table, those] of followers) await checkShared(world, table, those);
    await checkTables(world, owners);
    const byStatus = (status: string): number =>
      [...world.statuses].filter(([key]) => key.endsWith(` ${status}`)).reduce((sum, [, each]) => sum + each, 0);
    return {
      figures: {
        ...stage.runsOn,
        'server processes': 2,
        clients: owners.length,
        requests: beforeComparing,
        'requests per second': Math.round(beforeComparing / seconds),
        'operations on shared tables, replayed in the model': tables.reduce((sum, { deeds }) => sum + deeds.size, 0),
        'tables compared': tables.length + owners.length,
        ...Object.fromEntries(
          ['400', '404', '409', '412'].map((status) => [
            `refused with ${status}, since another was first`,
            byStatus(status),
          ]),
        ),
        'answers with 5xx': [...world.statuses].filter(([key]) => / 5\d\d$/.test(key)).length,
        ...(stage.isCluster ? { 'changes of fields sent again, since others took five seconds': putOff } : {}),
        deadlocks: (await stage.deadlocks()).count,
        'events heard by each of three listeners per table': Math.round(
          listeners.reduce((sum, { heard }) => sum + heard.length, 0) / 3,
        ),
        'times that the restless ones came back': [...followers.values()].reduce(
          (sum, those) => sum + (those.at(-1)?.comings ?? 0),
          0,
        ),
      },
      failures: failures.list,
    };
  } finally {
    clearInterval(timer);
    await Promise.all(listeners.map((listener) => listener.stop()));
    for (const line of lines) line.hangUp();
    await stage.close();
  }
};

export const concurrency: Part = {
  name: 'concurrency',
  title: 'Concurrency',
  run: (setting) => compete(setting).finally(endPrograms),
};
