// Followers of the feed: they miss nothing, however long they are away, and take each change once.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@rowhouse/contract/error.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { afterEach, expect, test } from 'vitest';
import { createBackgroundErrors } from '../../server/background-errors.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { feedOperations } from '../../server/domain/feed/feed.sql.ts';
import { findFollowers, followJob, type FollowerKind } from '../../server/domain/feed/follow.ts';
import { insertFollower, resumeFollower, selectFollowers } from '../../server/domain/feed/follower.sql.ts';
import { feedJobs } from '../../server/domain/feed/jobs.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { startWork, type StartedWork } from '../../server/work/start-work.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(10);
};

const processes: { work: StartedWork; db: Db }[] = [];
const leave = async ({ work, db }: { work: StartedWork; db: Db }): Promise<void> => {
  await work.stop(10);
  await db.close();
};
afterEach(async () => {
  for (const process of processes.splice(0)) await leave(process);
});

/** Writes down which operations it took, in the transaction that moves it. Fails as often as it is told to, after it has written. */
const noting = (faults = { left: 0 }): FollowerKind => ({
  name: 'test',
  async take(_services, tx, { id }, rows) {
    await tx.query(
      sql`insert into public.taken (follower, operation) select ${id}, unnest(${rows.map(({ operationId }) => operationId)}::text[])`,
    );
    if (faults.left > 0) {
      faults.left -= 1;
      // Also with what a request would be answered, and never asked again.
      throw faults.left === 0
        ? new ApiError('validation_error', 'refused here')
        : new Error('the process was killed here');
    }
  },
  paused: async (_services, tx, { id }) =>
    void (await tx.query(sql`insert into public.taken (follower, operation) values (${id}, 'paused')`)),
});

/** Another process, which works on what followers wait for. */
const startProcess = (kind: FollowerKind): { work: StartedWork; db: Db } => {
  const db = openDb(world().databaseUrl, { max: 5 });
  const kinds = feedJobs([kind]).map((one) => ({ ...one, name: `test-${one.name}` }));
  const services = { ...world().services, db };
  const started = { db, work: startWork({ db, services, kinds, errors: createBackgroundErrors() }) };
  processes.push(started);
  return started;
};

const takenBy = async (id: string): Promise<string[]> =>
  (
    await world().db.query<{ operation: string }>(
      sql`select operation from public.taken where follower = ${id} order by seq`,
    )
  ).map(({ operation }) => operation);

/** A base with a follower; `write` answers the operations that it made. */
const followed = async (id: string) => {
  const { owner, table, baseId, spaceId } = await openWorkshop(world());
  const { db } = world();
  const made = await table({ records: [] });
  await db.query(
    sql`create table if not exists public.taken (seq bigint generated always as identity, follower text, operation text)`,
  );
  await feedOperations(db, baseId);
  await db.transaction((tx) => insertFollower(tx, { id, kind: 'test', baseId }));
  const write = async (count: number): Promise<string[]> => {
    const operations: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const { headers } = await owner.call(createRecords, {
        params: { tableId: made.id },
        body: { records: [{ fields: {} }] },
      });
      operations.push(headers.get('x-operation-id') as string);
    }
    return operations;
  };
  const hurry = (): Promise<string> => addJob(db, { ...followJob({ id, spaceId }), kind: 'test-follow-feed' });
  /** As if everything so far had been entered some time ago. */
  const age = (interval: string): Promise<unknown> =>
    db.query(sql`update ${sql.id(baseId, '__feed_entry')} set time = now() - ${interval}::interval`);
  const entries = async (): Promise<number> =>
    (await db.query<{ count: number }>(sql`select count(*)::int as count from ${sql.id(baseId, '__feed_entry')}`))[0]
      ?.count as number;
  return { baseId, id, write, hurry, age, entries };
};

test('a follower that was away for longer than entries are kept otherwise loses nothing; once it has them they go', async () => {
  const { baseId, id, write, hurry, age, entries } = await followed('away');
  const early = await write(3);
  await feedOperations(world().db, baseId);
  await age('2 hours');
  const late = await write(2);
  await feedOperations(world().db, baseId);
  expect(await entries()).toBeGreaterThanOrEqual(5);
  const { work } = startProcess(noting());
  await hurry();
  work.wake();
  await until(async () => (await takenBy(id)).length >= 5);
  expect(await takenBy(id)).toEqual([...early, ...late]);
  await age('2 hours');
  await write(1);
  await feedOperations(world().db, baseId);
  expect(await entries()).toBe(1);
});

test('two processes that fail in the middle take each change once, in order', async () => {
  const { id, write, hurry } = await followed('twice');
  const kind = noting({ left: 2 });
  const workers = [startProcess(kind), startProcess(kind)];
  const written: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    written.push(...(await write(2)));
    await hurry();
    for (const { work } of workers) work.wake();
  }
  await until(async () => (await takenBy(id)).length >= written.length);
  expect(await takenBy(id)).toEqual(written);
});

test('one that is too far behind is paused and told so; it goes on with what is still there, and knows what it missed', async () => {
  const { baseId, id, write, age, entries, hurry } = await followed('late');
  await write(3);
  await feedOperations(world().db, baseId);
  const services = { ...world().services, config: { ...world().services.config, feedDays: 1 } };
  const { signal } = new AbortController();
  await age('23 hours');
  await findFollowers(services, [noting()], signal);
  expect(await takenBy(id)).toEqual([]);
  await age('25 hours');
  await findFollowers(services, [noting()], signal);
  await findFollowers(services, [noting()], signal);
  expect(await takenBy(id)).toEqual(['paused']);
  expect(await selectFollowers(world().db, [baseId])).toEqual([]);
  const [kept] = await write(1);
  await feedOperations(world().db, baseId);
  expect(await entries()).toBe(1);
  expect(await world().db.transaction((tx) => resumeFollower(tx, { id, baseId }))).toBe(3);
  const { work } = startProcess(noting());
  await hurry();
  work.wake();
  await until(async () => (await takenBy(id)).length >= 2);
  expect(await takenBy(id)).toEqual(['paused', kept]);
});
