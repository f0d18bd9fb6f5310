// Kill -9 of the server, of PostgreSQL, of one of its processes, and of both, at any moment under mixed load.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeGiven, type PostgresAddress } from '../database.ts';
import { hurryJobsOf } from '../hurry-jobs.sql.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { emptyChain } from '../chain.ts';
import { noFailures } from '../failures.ts';
import { follow } from '../follow.ts';
import { endPrograms, postgresPid, until } from '../program.ts';
import { randomFrom } from '../random.ts';
import { checkAll, operationsOf, type Watch } from './check.ts';
import { emptyLedger } from './ledger.ts';
import { changePlans, work } from './load.ts';
import { layGround, type Ground } from './ground.ts';
import { finished, strike, strikeGiven, type Victim, victimsOf } from './strike.ts';

const workers = 8;

const answers = async ({ origin, token, tableId }: Ground): Promise<boolean> =>
  fetch(`${origin}/api/table/${tableId}/record?take=1`, { headers: { authorization: `Bearer ${token}` } }).then(
    ({ status }) => status === 200,
    () => false,
  );

const hurry = async ({ openDb }: Ground, begunBefore: number): Promise<void> => {
  const db = await openDb();
  await hurryJobsOf(db, begunBefore).finally(() => db.close());
};

const killAll = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const cycles = scale === 'full' ? 104 : 4;
  const random = randomFrom(seed);
  const failures = noFailures();
  const laid = await layGround();
  const { ground } = laid;
  const { given } = ground;
  const victims = victimsOf(given);
  let { server } = laid;
  const table = follow(() => `${ground.origin}/api/table/${ground.tableId}/events?values=true`, ground.token);
  const inbox = follow(() => `${ground.origin}/api/notifications/events`, ground.named.token);
  await until('both are heard', () => table.comings > 0 && inbox.comings > 0);
  const ledger = emptyLedger();
  const watch: Watch = {
    ground,
    ledger,
    failures,
    table,
    inbox,
    chain: emptyChain(),
    before: await operationsOf(ground),
    kept: new Set(),
  };
  const kills: Record<Victim, number> = { server: 0, postgres: 0, both: 0, backend: 0 };
  let slowest = 0;
  let away: PostgresAddress | undefined;
  const comeBack = async (): Promise<void> => {
    if (away !== undefined) await given?.order?.('start', away);
    away = undefined;
  };
  try {
    for (let cycle = 0; cycle < cycles && failures.list.length === 0; cycle += 1) {
      const victim = victims[cycle % victims.length] as Victim;
      const draw = random.fork(cycle);
      let isOver = false;
      const workOf = (at: number) => ({
        ground,
        ledger,
        failures,
        random: draw.fork(at),
        mark: (cycle + 1) * 100 + at,
        isOver: () => isOver,
      });
      const loads = [...Array.from({ length: workers }, (_, at) => work(workOf(at))), changePlans(workOf(workers))];
      const begun = ledger.acknowledged;
      await until('requests are acknowledged', () => ledger.acknowledged >= begun + 40 || failures.list.length > 0);
      await sleep(draw.below(1_000));
      if (given === undefined) strike(victim, server, postgresPid(ground.data) as number, (pids) => draw.pick(pids));
      else away = await strikeGiven(given, victim, server, draw);
      kills[victim] += 1;
      // Some go on into the fall.
      await sleep(draw.below(50));
      isOver = true;
      const fallen = Date.now();
      await Promise.all(loads);
      await comeBack();
      if (victim === 'server' || victim === 'both') {
        await server.ended;
        server = await ground.start();
      }
      await until('the server answers again', () => answers(ground));
      slowest = Math.max(slowest, Date.now() - fallen);
      // The full proof waits for it.
      if (scale === 'short') await hurry(ground, fallen);
      if (given !== undefined) await finished(given);
      await checkAll(watch);
      if (cycle % 10 === 9 || failures.list.length > 0)
        say(`${cycle + 1} kills, ${ledger.acknowledged} requests acknowledged, ${ledger.unanswered} without an answer`);
    }
  } finally {
    await comeBack();
    await Promise.all([table.stop(), inbox.stop()]);
  }
  const { server: ofServer, postgres, both, backend } = kills;
  return {
    figures: {
      ...(given === undefined ? {} : { 'runs on': describeGiven(given) }),
      'kills of the server': ofServer,
      'kills of PostgreSQL with all its processes': postgres,
      'kills of both': both,
      [given === undefined ? 'kills of one process of PostgreSQL' : 'processes of PostgreSQL told to end']: backend,
      'requests acknowledged': ledger.acknowledged,
      'requests without an answer, or 503': ledger.unanswered,
      'acknowledged writes lost': failures.list.length === 0 ? 0 : 'see below',
      operations: watch.kept.size,
      'changes of the plan': ledger.planChanges,
      'people named, each told once': ledger.naming.size,
      'events heard, each once': table.heard.length,
      'times that a listener came back': table.comings + inbox.comings - 2,
      ...(given?.isCluster === true ? { 'answers with 503 when others had been answered again': ledger.putOff } : {}),
      'longest until requests were answered again': `${(slowest / 1_000).toFixed(1)} s`,
    },
    failures: failures.list,
  };
};

export const kill: Part = { name: 'kill', title: 'Kill', run: (setting) => killAll(setting).finally(endPrograms) };
