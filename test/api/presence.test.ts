// Who has a table open, seen through two server processes.
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenToTable, showCell } from '@rowhouse/contract/event.ts';
import { sql } from '../../server/db/sql.ts';
import { type Ear, type Heard, listen } from '../support/listen.ts';
import type { Person } from '../support/people.ts';
import { restricted } from '../support/restricted.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld();
let other: World;
beforeAll(async () => {
  other = await openWorld(world().databaseUrl);
});
afterAll(() => other.close());

const open = (at: World, { tableId }: TestTable, by: Person, query = '?presence=true'): Promise<Ear> =>
  listen(`${at.baseUrl}/table/${tableId}/events${query}`, { token: by.token });

const idsOf = ({ data }: Heard): string[] => data.users.map(({ id }: { id: string }) => id).toSorted();
const present = (ear: Ear): string[] | undefined => {
  const last = ear.heard.findLast(({ name }) => name === 'presence.changed');
  return last === undefined ? undefined : idsOf(last);
};
/** Waits until the newest list is this one. */
const sees = async (ear: Ear, ...people: Person[]): Promise<void> => {
  const wanted = people.map(({ userId }) => userId).toSorted();
  await expect.poll(() => present(ear), { timeout: 15_000, interval: 20 }).toEqual(wanted);
};

const tableOf = async (): Promise<TestTable> =>
  tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);

test('people see each other through different processes, until a stream ends', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'viewer');
  const mine = await open(world(), table, table.owner);
  await sees(mine, table.owner);
  expect(mine.heard[0]?.name).toBe('ready');
  const theirs = await open(other, table, guest);
  await sees(theirs, table.owner, guest);
  await sees(mine, table.owner, guest);
  const list = mine.heard.findLast(({ name }) => name === 'presence.changed') as Heard;
  expect(list).toMatchObject({ id: undefined, data: { tableId: table.tableId } });
  expect(list.data.users).toContainEqual({ id: guest.userId, name: guest.name, avatar: null });
  theirs.close();
  await sees(mine, table.owner);
  mine.close();
});

test('somebody with two windows is there once, until the last is closed', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.baseId, 'editor');
  const mine = await open(world(), table, table.owner);
  const first = await open(other, table, guest);
  const second = await open(world(), table, guest);
  await sees(second, table.owner, guest);
  first.close();
  await expect
    .poll(
      async () => (await world().db.query(sql`select from rowhouse.presence where table_id = ${table.tableId}`)).length,
    )
    .toBe(2);
  await sees(mine, table.owner, guest);
  second.close();
  await sees(mine, table.owner);
  mine.close();
});

test('who loses access is gone, and hears nothing more', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'editor');
  const mine = await open(world(), table, table.owner);
  const theirs = await open(other, table, guest);
  await sees(mine, table.owner, guest);
  await table.call(removeSpaceCollaborator, {
    params: table,
    query: { principalId: guest.userId, principalType: 'user' },
  });
  await theirs.until(({ name }) => name === 'end');
  await sees(mine, table.owner);
  expect(theirs.heard.at(-1)?.name).toBe('end');
  mine.close();
});

test('who does not ask is neither seen nor told', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'viewer');
  const quiet = await open(other, table, guest, '');
  await quiet.until(({ name }) => name === 'ready');
  const mine = await open(world(), table, table.owner);
  await sees(mine, table.owner);
  expect(quiet.heard.map(({ name }) => name)).toEqual(['ready']);
  for (const ear of [quiet, mine]) ear.close();
});

test('the others who have the table open hear which cell somebody is in, and nobody else does', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'editor');
  const params = { tableId: table.tableId };
  const mine = await open(world(), table, table.owner);
  const theirs = await open(other, table, guest);
  const quiet = await open(world(), table, guest, '');
  const partial = await (
    await restricted(world(), table.owner.token, table.tableId, { fieldIds: new Set(), rows: true })
  ).listen(listenToTable, { params, query: { presence: true } });
  await sees(mine, table.owner, guest);
  await sees(theirs, table.owner, guest);
  await expect.poll(partial.heard).toContain('presence.changed');

  const position = {
    tableId: table.tableId,
    userId: guest.userId,
    recordId: 'recAbc',
    fieldId: table.fieldIds['Text'] as string,
  };
  expect(
    (await guest.call(showCell, { params, body: { recordId: position.recordId, fieldId: position.fieldId } })).status,
  ).toBe(200);
  expect(await mine.until(({ name }) => name === 'presence.cell')).toMatchObject({ id: undefined, data: position });
  // The guest's request went to the first process, their stream is at the second: signals lead there too.
  await table.call(showCell, { params, body: { recordId: 'recOwn', fieldId: position.fieldId } });
  expect((await theirs.until(({ name }) => name === 'presence.cell')).data).toMatchObject({
    userId: table.owner.userId,
    recordId: 'recOwn',
  });
  await guest.call(showCell, { params, body: { recordId: 'recAbc', fieldId: null } });
  await mine.until(({ name, data }) => name === 'presence.cell' && data.recordId === null && data.fieldId === null);
  expect(mine.heard.filter(({ name, data }) => name === 'presence.cell' && data.userId === table.owner.userId)).toEqual(
    [],
  );
  expect(quiet.heard.map(({ name }) => name)).toEqual(['ready']);
  expect(partial.heard()).not.toContain('presence.cell');

  for (const bad of ['a/b', 'a:b', '"', 'x'.repeat(51)])
    expect((await guest.call(showCell, { params, body: { recordId: bad, fieldId: 'fldA' } })).status).toBe(400);
  partial.close();
  for (const ear of [mine, theirs, quiet]) ear.close();
});

test('somebody with SQL access to a base hears nothing of what processes tell each other, and is not heard by them', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'editor');
  const params = { tableId: table.tableId };
  // Of another space: all there is between them is the database.
  const stranger = await tableOf();
  const { url } = (await stranger.call(createDbConnection, { params: stranger })).body;
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  const overheard: string[] = [];
  reader.on('notification', ({ payload }) => overheard.push(payload ?? ''));
  const { rows: statements } = await reader.query<{ query: string }>(
    "select query from pg_stat_activity where query ~* 'listen|notify' and pid <> pg_backend_pid()",
  );
  expect(statements).toEqual([]);
  const [{ channel }] = (await world().db.query(sql`select signal_channel as channel from rowhouse.instance`)) as [
    { channel: string },
  ];
  expect(channel).toMatch(/^rowhouse_[0-9a-f]{32}$/);
  await expect(reader.query('select signal_channel from rowhouse.instance')).rejects.toMatchObject({ code: '42501' });

  const mine = await open(world(), table, table.owner);
  const theirs = await open(other, table, guest);
  await sees(mine, table.owner, guest);
  for (const name of ['rowhouse_live', 'rowhouse', 'rowhouse_']) {
    await reader.query(`listen ${name}`);
    await reader.query(`notify ${name}, 'forged:cell/${table.tableId}/${guest.userId}/recForged/fldForged'`);
  }
  // Said by the first process, and heard at the second, after all of the above.
  await table.call(showCell, { params, body: { recordId: 'recReal', fieldId: 'fldReal' } });
  await theirs.until(({ name, data }) => name === 'presence.cell' && data.recordId === 'recReal');
  await reader.query('select 1');
  expect(overheard.filter((payload) => !payload.startsWith('forged:'))).toEqual([]);
  expect([...mine.heard, ...theirs.heard].filter(({ data }) => data?.recordId === 'recForged')).toEqual([]);
  await reader.end();
  for (const ear of [mine, theirs]) ear.close();
});

test('a process that dies leaves nobody behind', async () => {
  const table = await tableOf();
  const guest = await member(world(), table.owner, table.spaceId, 'viewer');
  // As if a process had died that long ago.
  await world().db.query(
    sql`insert into rowhouse.presence (process, table_id, user_id) values ('gone', ${table.tableId}, ${guest.userId})`,
  );
  const mine = await open(world(), table, table.owner);
  await sees(mine, table.owner, guest);
  await world().db.query(
    sql`update rowhouse.presence set renewed_time = clock_timestamp() - interval '21 seconds' where process = 'gone'`,
  );
  await sees(mine, table.owner);
  await expect
    .poll(async () => (await world().db.query(sql`select from rowhouse.presence where process = 'gone'`)).length, {
      timeout: 15_000,
    })
    .toBe(0);
  mine.close();
});

test('a process that is stopped takes its people along', async () => {
  const table = await tableOf();
  const third = await openWorld(world().databaseUrl);
  const theirs = await open(third, table, table.owner);
  await sees(theirs, table.owner);
  await third.close();
  expect(await world().db.query(sql`select from rowhouse.presence where table_id = ${table.tableId}`)).toHaveLength(0);
});
