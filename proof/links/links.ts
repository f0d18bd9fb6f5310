// Links under everything at once: random nets of tables, 16 clients that write, fields that come and go, kill -9 of the server and of PostgreSQL. At
// rest both ends of every link agree, every cell is what follows from the rest, and `rowhouse doctor` finds nothing.
import { createBase } from '@rowhouse/contract/base.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, openLine } from '../client.ts';
import { noFailures } from '../failures.ts';
import { strike, type Victim, victims } from '../kill/strike.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import {
  credentialsIn,
  endPrograms,
  freePort,
  loggedOf,
  postgresPid,
  runProgram,
  serve,
  type Served,
  until,
  usedDataFolder,
} from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { generousPlans, good } from '../stage.ts';
import { checkNet } from './check.ts';
import { changeFields, layNet, look, type Net } from './net.ts';
import { writeOnce, type Writer } from './write.ts';

const clients = 16;

interface Tally {
  writes: number;
  changes: number;
  unanswered: number;
}

/** As often as `isOver` allows; what has no answer was killed. */
const repeat = async (isOver: () => boolean, tally: Tally, once: () => Promise<void>): Promise<void> => {
  while (!isOver()) {
    try {
      await once();
    } catch {
      tally.unanswered += 1;
      await sleep(20);
    }
  }
};

const writers = (net: Net, random: Random, tally: Tally, isOver: () => boolean): Promise<void>[] =>
  Array.from({ length: clients }, (_, at) => {
    const writer: Writer = { net, random: random.fork(at), mark: `w${at}`, deletions: [], turn: 0 };
    return repeat(isOver, tally, async () => {
      await writeOnce(writer);
      tally.writes += 1;
    });
  });

const changer = (net: Net, random: Random, tally: Tally, isOver: () => boolean): Promise<void> =>
  repeat(isOver, tally, async () => {
    await changeFields(net, random);
    tally.changes += 1;
    await sleep(random.below(300));
  });

/** Records that came or went while nobody heard the answer. */
const countAgain = async (net: Net): Promise<void> => {
  for (const side of net.sides) {
    const found = await net.call(listRecords, { params: { tableId: side.tableId }, query: { take: 1_000 } });
    if (found.status === 200) side.ids = found.body.records.map(({ id }) => id);
  }
};

/** What was done to fields since the last look, for those who look for the cause of a wrong cell. */
const withNotes = (call: Line['call'], notes: string[]): Line['call'] =>
  (async (endpoint, input) => {
    const begun = Date.now();
    const reply = await call(endpoint, input);
    if (/\/(field|restore)\b/.test(endpoint.path) && endpoint.method !== 'GET')
      notes.push(
        `${begun}–${Date.now()} ${endpoint.method} ${JSON.stringify(input)} → ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`,
      );
    return reply;
  }) as Line['call'];

const wrongOf = async (data: string): Promise<string> => {
  const doctor = runProgram(['doctor'], { ROWHOUSE_DATA: data });
  const code = await doctor.ended;
  return code === 0
    ? ''
    : doctor
        .printed()
        .split('\n')
        .filter((text) => text.startsWith('WRONG'))
        .join('; ');
};

/** By the server's own expressions, also of formulas. */
const examine = async ({ failures, sides }: Net, data: string, notes: readonly string[]): Promise<void> => {
  const wrong = await wrongOf(data);
  const computed = sides.flatMap(({ fields }) =>
    fields
      .filter(({ isComputed }) => isComputed === true)
      .map(({ id, name, options, lookupOptions }) => JSON.stringify({ id, name, options, lookupOptions })),
  );
  failures.demand(wrong === '', () => `rowhouse doctor: ${[wrong, ...computed, ...notes].join('\n')}`);
};

const answers = ({ call }: Line, tableId: string): Promise<boolean> =>
  call(listFields, { params: { tableId }, query: {} }).then(
    ({ status }) => status === 200,
    () => false,
  );

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const [nets, kills, pause] = scale === 'full' ? [8, 8, 4_000] : [1, 2, 500];
  const random = randomFrom(seed);
  const failures = noFailures();
  const data = usedDataFolder();
  const env = {
    ROWHOUSE_DATA: data,
    PORT: String(await freePort()),
    ROWHOUSE_PLANS: generousPlans(dirname(data)),
    LOG_LEVEL: 'error',
  };
  let server: Served = await serve(env);
  const line = openLine(server.origin, credentialsIn(data).token);
  const tally: Tally = { writes: 0, changes: 0, unanswered: 0 };
  const statuses = new Map<number, number>();
  const killed: Record<Victim, number> = { server: 0, postgres: 0, both: 0, backend: 0 };
  let fields = 0;
  try {
    const spaceId = good(await line.call(createSpace, { body: { name: 'Links' } })).body.id;
    for (let at = 0; at < nets && failures.list.length === 0; at += 1) {
      const own = random.fork(at);
      const baseId = good(await line.call(createBase, { body: { spaceId, name: `Net ${at}` } })).body.id;
      const notes: string[] = [];
      const net: Net = { call: withNotes(line.call, notes), baseId, sides: [], failures, alsoAllowed: [], statuses };
      await layNet(net, own, {
        tables: 2 + own.below(3),
        links: 3 + own.below(4),
        computed: scale === 'full' ? 14 : 8,
        records: 12,
      });
      for (let round = 0; round < kills && failures.list.length === 0; round += 1) {
        const victim = victims[(at + round) % victims.length] as Victim;
        const draw = own.fork(round + 1_000);
        let isOver = false;
        const isDone = (): boolean => isOver || failures.list.length > 0;
        const load = [...writers(net, draw, tally, isDone), changer(net, draw.fork(500), tally, isDone)];
        await sleep(pause + draw.below(pause));
        // A server whose database falls says so.
        net.alsoAllowed = [503];
        strike(victim, server, postgresPid(data) as number, (pids) => draw.pick(pids));
        killed[victim] += 1;
        await sleep(draw.below(50));
        isOver = true;
        await Promise.all(load);
        if (victim === 'server' || victim === 'both') {
          await server.ended;
          server = await serve(env);
        }
        await until('the server answers again', () => answers(line, net.sides[0]?.tableId as string));
        net.alsoAllowed = [];
        await countAgain(net);
        await checkNet(net);
        await examine(net, data, notes.splice(0));
      }
      await look(net);
      fields += net.sides
        .flatMap((side) => side.fields)
        .filter(({ isComputed, type }) => isComputed === true || type === 'link').length;
      say(
        `net ${at + 1}: ${tally.writes} writes, ${tally.changes} changes of fields, ${tally.unanswered} without an answer`,
      );
    }
    const wrong = await wrongOf(data);
    failures.demand(wrong === '', () => `rowhouse doctor: ${wrong}`);
  } finally {
    line.hangUp();
  }
  for (const log of failures.list.map(loggedOf).filter((text) => text !== '')) say(log);
  const answered = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');
  return {
    figures: {
      'nets of tables': nets,
      'links and computed fields in them at the end': fields,
      'requests that write records': tally.writes,
      'rounds of changes of fields': tally.changes,
      'answers by status': answered,
      'kills of server, PostgreSQL, both, one of its processes': Object.values(killed).join(', '),
      'requests without an answer': tally.unanswered,
      'wrong cells, ends that do not agree, answers that must not be': failures.list.length,
    },
    failures: failures.list,
  };
};

export const links: Part = { name: 'links', title: 'Links', run: (setting) => run(setting).finally(endPrograms) };
