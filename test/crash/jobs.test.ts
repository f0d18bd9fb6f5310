// Two processes that work on the same jobs, killed and put to sleep at random: each step is done once, none is lost, and
// what reaches the world outside never happens twice.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import pg from 'pg';
import { type Db, openDb } from '../../server/db/db.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { migrate } from '../../server/db/migrate.ts';
import { sql } from '../../server/db/sql.ts';
import { addJobs } from '../../server/work/job.sql.ts';
import { howMany, onlyInProof } from '../support/cases.ts';
import { freePort, usedDataFolder, until } from '../support/program.ts';

/** The bundle of support/work-process.ts. */
const script = fileURLToPath(new URL('../../server/dist/programs/work-process.js', import.meta.url));
const lease = 1;
const jobs = howMany(12, 6);
const steps = howMany(30, 20);
const emails = howMany(30, 12);

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const start = async (url: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [script, url, String(lease)], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
};

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  children.delete(child);
};

const openDatabase = async (): Promise<{ url: string; db: Db; close(): Promise<void> }> => {
  const postgres = await startEmbedded(usedDataFolder(), { port: await freePort(), durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await migrate(client);
  await client.query(
    'create table public.effect (n bigint generated always as identity, job_id text, step int, pid int)',
  );
  await client.query('create table public.gate as select 1 as one');
  await client.end();
  const db = openDb(postgres.url, { max: 2 });
  return { url: postgres.url, db, close: () => db.close().then(() => postgres.stop()) };
};

const left = async (db: Db): Promise<number> =>
  (
    await db.query<{ count: number }>(
      sql`select count(*)::int as count from rowhouse.jobs where state in ('waiting', 'running')`,
    )
  )[0]?.count as number;

/** In the middle of a step, but of no transaction: PostgreSQL would keep its locks for as long as it sleeps. */
const stopBetweenStatements = async (db: Db, child: ChildProcess): Promise<void> => {
  for (;;) {
    child.kill('SIGSTOP');
    const busy = await db.query(
      sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    if (busy.length === 0) return;
    child.kill('SIGCONT');
    await sleep(7);
  }
};

test('what a process does after it has lost a job to another does not count', { timeout: 120_000 }, async () => {
  const { url, db, close } = await openDatabase();
  await addJobs(db, [{ kind: 'count', payload: { steps: 150 } }]);
  const doneBy = async (child: ChildProcess): Promise<number> =>
    (
      await db.query<{ count: number }>(
        sql`select count(*)::int as count from public.effect where pid = ${child.pid as number}`,
      )
    )[0]?.count as number;
  const sleeper = await start(url);
  await until('it has begun', async () => (await doneBy(sleeper)) > 5);
  await stopBetweenStatements(db, sleeper);
  const other = await start(url);
  await until('the other goes on', async () => (await doneBy(other)) > 5);
  sleeper.kill('SIGCONT');
  await until('everything is done', async () => (await left(db)) === 0);
  for (const child of [sleeper, other]) await end(child, 'SIGTERM');
  const [effects] = await db.query(
    sql`select count(*)::int as count, count(distinct step)::int as distinct from public.effect`,
  );
  expect(effects).toEqual({ count: 150, distinct: 150 });
  await close();
});

onlyInProof(test)(
  'a space that fills all slots gives way to another, also in the process that is left when one is killed',
  {
    timeout: 120_000,
  },
  async () => {
    const { url, db, close } = await openDatabase();
    const doneOf = async (spaceId: string): Promise<number> =>
      (
        await db.query<{ count: number }>(
          sql`select count(*)::int as count from public.effect e join public.owner o on o.job_id = e.job_id where o.space_id = ${spaceId}`,
        )
      )[0]?.count as number;
    await db.query(sql`create table public.owner (job_id text, space_id text)`);
    const add = async (spaceId: string, count: number, length: number): Promise<void> => {
      const given = Array.from({ length: count }, () => ({ kind: 'count', spaceId, payload: { steps: length } }));
      for (const id of await addJobs(db, given))
        await db.query(sql`insert into public.owner values (${id}, ${spaceId})`);
    };
    // More than two processes run at once, and each longer than the test takes.
    await add('spcLong', 8, 3_000);
    const pair = [await start(url), await start(url)];
    await until('all are busy', async () => (await doneOf('spcLong')) > 20);
    await end(pair[0] as ChildProcess, 'SIGKILL');
    await add('spcShort', 2, 3);
    await until('the other space is done', async () => (await doneOf('spcShort')) === 6);
    expect(
      await db.query(sql`select from rowhouse.jobs where space_id = 'spcLong' and state in ('waiting', 'running')`),
    ).toHaveLength(8);
    await end(pair[1] as ChildProcess, 'SIGKILL');
    const [twice] = await db.query(
      sql`select count(*)::int as count from (select from public.effect group by job_id, step having count(*) > 1) t`,
    );
    expect(twice).toEqual({ count: 0 });
    await close();
  },
);

test('two processes never do one job twice, anyone who is killed or sleeps, and wait for a lock together', {
  timeout: 300_000,
}, async () => {
  const { url, db, close } = await openDatabase();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from public.gate for update');
  await addJobs(db, [
    ...Array.from({ length: jobs }, () => ({ kind: 'count', payload: { steps } })),
    ...Array.from({ length: emails }, () => ({ kind: 'send' })),
  ]);

  const pair = [await start(url), await start(url)];
  const happened = { killed: 0, slept: 0 };
  for (let round = 0; (await left(db)) > 0; round += 1) {
    await sleep(300 + 400 * Math.random());
    if (round === 3) {
      const waiting = await db.query(sql`select from rowhouse.jobs where kind = 'count' and waits > 0`);
      expect(waiting.length).toBeGreaterThan(0);
      await holder.query('commit');
      await holder.end();
    }
    const at = round % 2;
    const victim = pair[at] as ChildProcess;
    if (round % 3 === 2) {
      // Longer than its lease: the other takes over, and what this one finishes afterwards must not count.
      victim.kill('SIGSTOP');
      await sleep(lease * 1_000 + 500);
      victim.kill('SIGCONT');
      happened.slept += 1;
    } else if (round % 3 === 1) {
      await end(victim, 'SIGTERM');
      pair[at] = await start(url);
    } else {
      await end(victim, 'SIGKILL');
      happened.killed += 1;
      pair[at] = await start(url);
    }
  }
  for (const child of pair) await end(child, 'SIGTERM');

  expect(await db.query(sql`select error from rowhouse.jobs where kind = 'count' and state = 'failed'`)).toEqual([]);
  const effects = await db.query<{ kind: string; count: number; distinct: number }>(
    sql`select case when step = 0 and not exists (select from public.effect o where o.job_id = e.job_id and o.step = 1) then 'send' else 'count' end as kind,
               count(*)::int as count, count(distinct (job_id, step))::int as distinct
        from public.effect e group by 1 order by 1`,
  );
  const [counted, sent] = effects;
  expect(counted).toMatchObject({ kind: 'count', count: jobs * steps, distinct: jobs * steps });
  expect(sent?.count).toBe(sent?.distinct);
  // What was interrupted in the middle is told as failed, everything else was sent.
  const [failed] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from rowhouse.jobs where kind = 'send' and state = 'failed'`,
  );
  expect(failed?.count).toBeLessThanOrEqual(happened.killed + happened.slept);
  expect((sent?.count as number) + (failed?.count as number)).toBeGreaterThanOrEqual(emails);
  expect(happened.killed).toBeGreaterThan(0);
  // Within each job the steps came in their order.
  const disordered = await db.query(
    sql`select from (select step, lag(step) over (partition by job_id order by n) as before from public.effect) e where before is not null and step <> before + 1`,
  );
  expect(disordered).toEqual([]);
  await close();
});
