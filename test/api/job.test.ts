// Jobs: tried again, given up, cancelled, one at a time by key, from time to time; and what people see of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelJob, getJob, listBaseJobs } from '@rowhouse/contract/job.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { afterEach, expect, test } from 'vitest';
import { createBackgroundErrors } from '../../server/background-errors.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { GiveUp, type JobKind } from '../../server/work/job.ts';
import { addJob, deleteOldJobs } from '../../server/work/job.sql.ts';
import { startWork, type StartedWork } from '../../server/work/start-work.ts';
import { figure } from '../support/figures.ts';
import { ground } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const started: { work: StartedWork; db: Db }[] = [];
const works = (kinds: JobKind<undefined>[], { lease = 30, mostPaused = 8 } = {}): StartedWork => {
  const db = openDb(world().databaseUrl, { max: 3 });
  const work = startWork({ db, services: undefined, kinds, errors: createBackgroundErrors(), lease, mostPaused });
  started.push({ work, db });
  return work;
};
afterEach(async () => {
  for (const { work, db } of started.splice(0)) {
    await work.stop(10);
    await db.close();
  }
});

interface Row {
  state: string;
  attempt: number;
  error: string | null;
}
const rowsOf = (kind: string): Promise<Row[]> =>
  world().db.query<Row>(sql`select state, attempt, error from rowhouse.jobs where kind = ${kind} order by seq`);
const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await sleep(10);
};
const due = (kind: string): Promise<unknown> =>
  world().db.query(sql`update rowhouse.jobs set due_time = now() where kind = ${kind} and state = 'waiting'`);

test('a job that fails is tried again after a while, and fails for good after its tries', async () => {
  let runs = 0;
  const work = works([
    {
      name: 'failing',
      retry: { attempts: 3, first: 600, longest: 600 },
      run: async () => Promise.reject(new Error(`secret of run ${(runs += 1)}`)),
    },
  ]);
  await addJob(world().db, { kind: 'failing' });
  for (const attempt of [1, 2]) {
    await until(async () => runs === attempt && (await rowsOf('failing'))[0]?.state === 'waiting');
    // What a fault of ours says is for the log alone.
    expect(await rowsOf('failing')).toEqual([
      { state: 'waiting', attempt, error: 'A fault of the server; its log says more' },
    ]);
    await sleep(1_200);
    expect(runs).toBe(attempt);
    await due('failing');
  }
  await until(async () => (await rowsOf('failing'))[0]?.state === 'failed');
  expect([runs, work.outcomes().get('failing')]).toEqual([
    3,
    new Map([
      ['retry', 2],
      ['failed', 1],
    ]),
  ]);
});

test('what would not help another time is not tried again, and its owner reads why', async () => {
  works([
    { name: 'hopeless', run: async () => Promise.reject(new GiveUp('The file "\0\ud800" has no rows')) },
    { name: 'done', run: async () => ({ left: ['\0\ud800'] }) },
    {
      name: 'refused',
      retry: { attempts: 1, first: 1, longest: 1 },
      run: async () => Promise.reject(new ApiError('conflict', 'The table is gone')),
    },
  ]);
  for (const kind of ['hopeless', 'refused']) {
    await addJob(world().db, { kind });
    await until(async () => (await rowsOf(kind))[0]?.state === 'failed');
  }
  expect([...(await rowsOf('hopeless')), ...(await rowsOf('refused'))].map(({ error }) => error)).toEqual([
    'The file "\ufffd" has no rows',
    'The table is gone',
  ]);
  // What somebody sent may be in what is told of it, and PostgreSQL does not store all of that.
  await addJob(world().db, { kind: 'done', createdBy: 'usr1' });
  await until(async () => (await rowsOf('done'))[0]?.state === 'done');
});

test.each([8, 0])(
  'spaces take turns: a short job of one comes between the steps of long ones of another (%i may pause)',
  async (mostPaused) => {
    const log: string[] = [];
    const steps = 5;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((open) => (letGo = open));
    const kind: JobKind<undefined> = {
      name: `turns-${mostPaused}`,
      isLong: true,
      givesWay: true,
      atOnce: 4,
      async run(_services, job) {
        const { name, until: last } = job.payload as { name: string; until: number };
        for (let at = (job.cursor as number | null) ?? 0; at < last; at += 1) {
          await job.step(async () => {
            log.push(`${name}${at}`);
            return { cursor: at + 1 };
          });
          await gate;
          await job.giveWay();
        }
      },
    };
    works([kind], { mostPaused });
    const add = (spaceId: string, name: string, last: number): Promise<string> =>
      addJob(world().db, { kind: kind.name, spaceId, payload: { name, until: last } });
    for (const name of ['a', 'b', 'c']) await add('spc1', name, steps);
    await until(() => log.length === 2);
    // Both slots are taken, and a third one of the same space waits before it.
    await add('spc2', 'x', 1);
    await add('spc3', 'y', 2);
    letGo();
    await until(async () => (await rowsOf(kind.name)).length === 0);
    expect(log.toSorted()).toEqual([
      ...['a', 'b', 'c'].flatMap((name) => Array.from({ length: steps }, (_, at) => `${name}${at}`)),
      'x0',
      'y0',
      'y1',
    ]);
    const before = (step: string): number => log.slice(0, log.indexOf(step)).filter((one) => /^[abc]/.test(one)).length;
    // One of the two gives way at once. The other may go on until the free slot is given away, which takes some milliseconds:
    // but x comes before the first of them goes on, and y before the third has gone further.
    expect(before('x0')).toBeLessThanOrEqual(steps + 1);
    expect(before('y0')).toBeLessThanOrEqual(2 * steps);
    expect(before('y1')).toBeLessThan(3 * steps - 2);
  },
);

test('a long job makes small steps, and rests between them, while other spaces have work', async () => {
  const found: boolean[] = [];
  let quick = 0;
  let [goOn, isOver] = [0, false];
  works([
    {
      name: 'large',
      isLong: true,
      givesWay: true,
      async run(_services, job) {
        for (let at = 0; !isOver; at += 1) {
          await until(() => goOn > at || isOver);
          await job.step(() => sleep(100));
          found.push(job.isCrowded());
          const begun = performance.now();
          await job.giveWay();
          // A rest as long as the step, where others are at work; no timer ends before its time.
          if (found.at(-1) === true) expect(performance.now() - begun).toBeGreaterThan(90);
        }
      },
    },
    {
      name: 'quick',
      async run(_services, job) {
        quick += 1;
        expect(job.isCrowded()).toBe(false);
      },
    },
  ]);
  const next = async (): Promise<boolean> => {
    goOn += 1;
    await until(() => found.length === goOn);
    return found.at(-1) as boolean;
  };
  const add = async (spaceId: string): Promise<void> => {
    const before = quick;
    await addJob(world().db, { kind: 'quick', spaceId });
    await until(() => quick > before);
  };
  await addJob(world().db, { kind: 'large', spaceId: 'spc1' });
  expect(await next()).toBe(false);
  await add('spc1');
  expect(await next()).toBe(false);
  // Once more where a second went by in between.
  let crowded = false;
  for (let tries = 0; tries < 5 && !crowded; tries += 1) {
    await add('spc2');
    crowded = await next();
  }
  expect(crowded).toBe(true);
  await sleep(1_100);
  expect(await next()).toBe(false);
  isOver = true;
  await until(async () => (await rowsOf('large'))[0]?.state !== 'running');
});

test('long jobs that keep their slot until they end leave one to those that give way', async () => {
  const log: string[] = [];
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((open) => (letGo = open));
  works([
    { name: 'whole', isLong: true, atOnce: 4, run: () => gate.then(() => void log.push('whole')) },
    { name: 'short', isLong: true, givesWay: true, run: async () => void log.push('short') },
  ]);
  for (const spaceId of ['spc1', 'spc2', 'spc3']) await addJob(world().db, { kind: 'whole', spaceId });
  await until(async () => (await rowsOf('whole')).some(({ state }) => state === 'running'));
  await addJob(world().db, { kind: 'short', spaceId: 'spc4' });
  await until(() => log.length === 1);
  letGo();
  await until(() => log.length === 4);
  expect(log[0]).toBe('short');
});

test('of one key one waits and one runs at most, and what is added meanwhile is not lost', async () => {
  let [runs, present, most] = [0, 0, 0];
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((open) => (letGo = open));
  const kind: JobKind<undefined> = {
    name: 'keyed',
    atOnce: 4,
    async run() {
      runs += 1;
      present += 1;
      most = Math.max(most, present);
      await gate;
      present -= 1;
    },
  };
  const [one] = [works([kind]), works([kind])];
  for (let at = 0; at < 5; at += 1) {
    one.add({ kind: 'keyed', key: 'a' });
    await sleep(40);
  }
  await until(() => runs === 1);
  await addJob(world().db, { kind: 'keyed', key: 'a' });
  await addJob(world().db, { kind: 'keyed', key: 'a' });
  await until(async () => (await rowsOf('keyed')).length === 2);
  expect((await rowsOf('keyed')).map(({ state }) => state)).toEqual(['running', 'waiting']);
  letGo();
  await until(async () => (await rowsOf('keyed')).length === 0);
  expect([runs, most]).toEqual([2, 1]);
});

test('a job whose key is added again while it runs and fails leaves the work to the newer one', async () => {
  let runs = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((open) => (letGo = open));
  works([
    {
      name: 'replaced',
      async run() {
        runs += 1;
        await gate;
        if (runs === 1) throw new Error('the first one');
      },
    },
  ]);
  await addJob(world().db, { kind: 'replaced', key: 'k' });
  await until(() => runs === 1);
  await addJob(world().db, { kind: 'replaced', key: 'k' });
  letGo();
  await until(async () => (await rowsOf('replaced')).every(({ state }) => state === 'cancelled'));
  expect(runs).toBe(2);
});

test('what runs from time to time runs soon after the start, once however many processes there are, and again after a failure', async () => {
  let runs = 0;
  const kind: JobKind<undefined> = {
    name: 'hourly',
    every: 3_600,
    retry: { attempts: 1, first: 600, longest: 600 },
    async run() {
      runs += 1;
      await sleep(50);
      if (runs === 2) throw new Error('once');
    },
  };
  const [one] = [works([kind]), works([kind]), works([kind])];
  await until(async () => runs === 1 && (await rowsOf('hourly'))[0]?.state === 'waiting');
  await sleep(1_200);
  expect([runs, await rowsOf('hourly')]).toEqual([1, [{ state: 'waiting', attempt: 0, error: null }]]);
  one.hurry('hourly');
  await until(async () => runs === 2 && (await rowsOf('hourly'))[0]?.state === 'waiting');
  expect(await rowsOf('hourly')).toEqual([
    { state: 'waiting', attempt: 1, error: 'A fault of the server; its log says more' },
  ]);
  // A server that starts does not wait for the next hour.
  works([kind]);
  await until(async () => runs === 3 && (await rowsOf('hourly'))[0]?.attempt === 0);
});

test('a job of a process that vanished goes on where it was, elsewhere', async () => {
  const reached: number[] = [];
  let wakeUp: () => void = () => undefined;
  const asleep = new Promise<void>((awake) => (wakeUp = awake));
  const kind = (stopAt: number): JobKind<undefined> => ({
    name: 'orphan',
    async run(_services, job) {
      for (let at = (job.cursor as number | null) ?? 0; at < 6; at += 1) {
        if (at === stopAt) await asleep;
        await job.step(async () => ({ cursor: at + 1, done: at + 1, total: 6 }));
        reached.push(at);
      }
    },
  });
  // One that hangs, and whose lease nobody renews any more.
  const vanishing = works([kind(3)], { lease: 1 });
  await addJob(world().db, { kind: 'orphan' });
  await until(() => reached.length === 3);
  await vanishing.stop(0);
  works([kind(-1)], { lease: 1 });
  await until(async () => (await rowsOf('orphan')).length === 0);
  expect(reached).toEqual([0, 1, 2, 3, 4, 5]);
  wakeUp();
});

test('a server that stops gives back what it was at, as if it had not been tried', async () => {
  const kind: JobKind<undefined> = {
    name: 'long',
    isLong: true,
    async run(_services, { signal, step }) {
      for (;;) {
        await step(async () => ({ done: 1 }));
        await sleep(10);
        signal.throwIfAborted();
      }
    },
  };
  const work = works([kind]);
  await addJob(world().db, { kind: 'long' });
  await until(async () => (await rowsOf('long'))[0]?.state === 'running');
  await work.stop(10);
  expect(await rowsOf('long')).toEqual([{ state: 'waiting', attempt: 0, error: null }]);
  await world().db.query(sql`delete from rowhouse.jobs where kind = 'long'`);
});

test('people see the jobs of their base and how far they are, and cancel them', async () => {
  const on = await ground(world());
  const [viewer, stranger] = [await member(world(), on.owner, on.spaceId, 'viewer'), await ground(world())];
  const steps: number[] = [];
  const paused: (() => void)[] = [];
  works([
    {
      name: 'import',
      async run(_services, job) {
        for (let at = 1; at <= 10; at += 1) {
          await job.step(async () => {
            steps.push(at);
            return { done: at * 100, total: 1_000 };
          });
          if (at === 3) await new Promise<void>((goOn) => void paused.push(goOn));
        }
        return { rows: 1_000 };
      },
    },
  ]);
  const jobId = await addJob(world().db, { kind: 'import', baseId: on.baseId, createdBy: on.owner.userId });
  await until(() => paused.length === 1);
  const seen = await viewer.call(getJob, { params: { jobId } });
  expect([seen.status, seen.body]).toMatchObject([
    200,
    {
      id: jobId,
      kind: 'import',
      state: 'running',
      baseId: on.baseId,
      createdBy: on.owner.userId,
      attempt: 1,
      progress: { done: 300, total: 1_000 },
    },
  ]);
  expect((await stranger.call(getJob, { params: { jobId } })).status).toBe(404);
  expect((await stranger.call(cancelJob, { params: { jobId } })).status).toBe(404);
  expect((await viewer.call(cancelJob, { params: { jobId } })).status).toBe(403);
  const cancelled = await on.call(cancelJob, { params: { jobId } });
  expect([cancelled.status, cancelled.body]).toMatchObject([200, { state: 'running', isCancelling: true }]);
  paused[0]?.();
  await until(async () => (await on.call(getJob, { params: { jobId } })).body.state === 'cancelled');
  // It hears of it with its next step at the latest, which still counts.
  expect(steps.length).toBeLessThanOrEqual(4);
  const again = await on.call(cancelJob, { params: { jobId } });
  expect([again.status, again.error.message]).toEqual([
    409,
    `Job ${jobId} cannot be cancelled: it is cancelled already`,
  ]);

  const second = await addJob(world().db, { kind: 'import', baseId: on.baseId, createdBy: on.owner.userId });
  await until(() => paused.length === 2);
  paused[1]?.();
  await until(async () => (await on.call(getJob, { params: { jobId: second } })).body.state === 'done');
  expect((await on.call(getJob, { params: { jobId: second } })).body).toMatchObject({
    result: { rows: 1_000 },
    progress: { done: 1_000, total: 1_000 },
  });

  const later = await addJob(world().db, {
    kind: 'import',
    baseId: on.baseId,
    createdBy: on.owner.userId,
    delay: 3_600,
  });
  const waiting = await on.call(cancelJob, { params: { jobId: later } });
  expect(waiting.body).toMatchObject({ state: 'cancelled', attempt: 0, finishedTime: expect.any(String) });
  const listed = await viewer.call(listBaseJobs, { params: on, query: { take: 2 } });
  expect(listed.body.jobs.map(({ id }) => id)).toEqual([later, second]);
  const rest = await viewer.call(listBaseJobs, {
    params: on,
    query: { take: 2, cursor: listed.body.nextCursor as string },
  });
  expect([rest.body.jobs.map(({ id }) => id), rest.body.nextCursor]).toEqual([[jobId], undefined]);
  expect(
    (await viewer.call(listBaseJobs, { params: on, query: { state: 'done' } })).body.jobs.map(({ id }) => id),
  ).toEqual([second]);
  expect((await stranger.call(listBaseJobs, { params: on })).status).toBe(404);

  await world().db.query(sql`update rowhouse.jobs set finished_time = now() - interval '8 days' where id = ${second}`);
  await deleteOldJobs(world().db, 7);
  expect((await on.call(getJob, { params: { jobId: second } })).status).toBe(404);
});

test("a job without a base is its maker's alone", async () => {
  const [maker, other] = [await ground(world()), await ground(world())];
  const jobId = await addJob(world().db, { kind: 'private', createdBy: maker.owner.userId });
  expect((await maker.call(getJob, { params: { jobId } })).status).toBe(200);
  expect((await other.call(getJob, { params: { jobId } })).status).toBe(404);
  expect((await other.call(cancelJob, { params: { jobId } })).status).toBe(404);
  const own = await addJob(world().db, { kind: 'own' });
  expect((await maker.call(getJob, { params: { jobId: own } })).status).toBe(404);
});

test('the operator sees what waits, what runs and what came of it', async () => {
  await addJob(world().db, { kind: 'measured' });
  await world().db.query(
    sql`update rowhouse.jobs set due_time = now() - interval '90 seconds' where kind = 'measured'`,
  );
  expect(await figure(world().origin, 'rowhouse_jobs', '{kind="measured",state="waiting"}')).toBe(1);
  expect(await figure(world().origin, 'rowhouse_job_delay_seconds', '{kind="measured"}')).toBeGreaterThanOrEqual(90);
  await until(
    async () => (await figure(world().origin, 'rowhouse_job_runs_total', '{kind="keep-plans",outcome="done"}')) > 0,
  );
});
