// A transaction in which a statement failed never looks committed, whatever becomes of the error on the way.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Db, openDb } from './db.ts';
import { sql } from './sql.ts';

let db: Db;
beforeAll(async () => {
  db = openDb(inject('postgresUrl'), { max: 1 });
  await db.query(sql`create temp table kept (id int)`);
});
afterAll(() => db.close());

const rows = async (): Promise<number> => (await db.query(sql`select from kept`)).length;
const swallowed = (): undefined => undefined;

test('an error that somebody swallowed fails the transaction, and is the one that is told', async () => {
  const work = db.transaction(async (tx) => {
    await tx.query(sql`insert into kept values (1)`);
    await tx.query(sql`select missing from kept`).catch(swallowed);
    return 'looks well';
  });
  await expect(work).rejects.toThrow('column "missing" does not exist');
  expect(await rows()).toBe(0);
});

test('a statement behind a swallowed error tells of that error', async () => {
  const work = db.transaction(async (tx) => {
    await tx.query(sql`select missing from kept`).catch(swallowed);
    await tx.query(sql`insert into kept values (1)`);
  });
  await expect(work).rejects.toThrow('column "missing" does not exist');
});

test('the same when statements and the commit are sent before the first has answered', async () => {
  const work = db.transaction(async (tx) => {
    const failing = tx.query(sql`select missing from kept`).catch(swallowed);
    const inserting = tx.query(sql`insert into kept values (1)`).catch(swallowed);
    tx.commitBehind?.();
    await Promise.all([failing, inserting]);
  }, sql`set local work_mem = '4MB'`);
  await expect(work).rejects.toThrow('column "missing" does not exist');
  expect(await rows()).toBe(0);
});

test('what is rolled back to a savepoint does not count', async () => {
  await db.transaction(async (tx) => {
    await tx.query(sql`savepoint attempt`);
    await tx.query(sql`select missing from kept`).catch(swallowed);
    await tx.query(sql`rollback to savepoint attempt`);
    await tx.query(sql`insert into kept values (1)`);
  });
  expect(await rows()).toBe(1);
});
