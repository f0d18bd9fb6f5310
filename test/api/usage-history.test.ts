// What a space used, day by day, with a clock that the tests turn.
import { getBilling, getUsageHistory, setSpacePlan } from '@rowhouse/contract/billing.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, deleteRecord } from '@rowhouse/contract/record.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { keepUp } from '../../server/domain/plan/keep-up.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { person } from '../support/people.ts';
import { ground, tableWith } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

let time = Date.parse('2031-01-31T12:00:00.000Z');
const world = useWorld({ plansFile: 'default' }, { now: () => new Date(time) });
const goTo = async (moment: string): Promise<void> => {
  time = Date.parse(moment);
  await keepUp(world().services);
};

const tableOf = async () => tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
type Table = Awaited<ReturnType<typeof tableOf>>;

const add = async (table: Table, count: number): Promise<string[]> =>
  (
    await table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
    })
  ).body.records.map(({ id }) => id);

const history = async (table: Table, days?: number) =>
  (await table.call(getUsageHistory, { params: table, query: days === undefined ? {} : { days } })).body.days;
const rows = async (table: Table, days?: number): Promise<[string, number][]> =>
  (await history(table, days)).map(({ day, numRows }) => [day, numRows]);

test('today is exact at any time, and its end becomes the sample of the day', async () => {
  await goTo('2031-03-01T12:00:00.000Z');
  const table = await tableOf();
  const [first] = await add(table, 3);
  // The day before is there too: the space is older than this clock.
  expect((await rows(table)).at(-1)).toEqual(['2031-03-01', 3]);
  await table.call(deleteRecord, { params: { tableId: table.tableId, recordId: first as string } });
  await member(world(), table.owner, table.baseId, 'editor');
  expect((await history(table)).at(-1)).toEqual({
    day: '2031-03-01',
    numRows: 2,
    attachmentSize: 0,
    numDatabaseConnections: 0,
    numCollaborators: 2,
  });

  await goTo('2031-03-01T23:59:59.000Z');
  await add(table, 5);
  await goTo('2031-03-02T00:00:30.000Z');
  await add(table, 1);
  // Anyone who comes later that day, or once more, changes nothing.
  await goTo('2031-03-02T17:00:00.000Z');
  expect((await rows(table)).slice(-2)).toEqual([
    ['2031-03-01', 7],
    ['2031-03-02', 8],
  ]);
  const { diskSize: _bytes, ...usage } = (await table.call(getBilling, { params: table })).body.plan.usage;
  expect((await history(table)).at(-1)).toMatchObject(usage);
});

test('days on which no server ran have the usage of that time', async () => {
  await goTo('2031-04-10T12:00:00.000Z');
  const table = await tableOf();
  await add(table, 2);
  await goTo('2031-04-11T00:00:10.000Z');
  await goTo('2031-04-14T09:00:00.000Z');
  await add(table, 2);
  expect((await rows(table)).slice(-5)).toEqual([
    ['2031-04-10', 2],
    ['2031-04-11', 2],
    ['2031-04-12', 2],
    ['2031-04-13', 2],
    ['2031-04-14', 4],
  ]);
});

test('as many days as were asked for, and what is older than 400 is removed', async () => {
  await goTo('2032-01-01T12:00:00.000Z');
  const table = await tableOf();
  await goTo('2032-01-02T00:00:00.000Z');
  await goTo('2033-01-20T00:00:00.000Z');
  expect(await history(table)).toHaveLength(30);
  expect(await rows(table, 1)).toEqual([['2033-01-20', 0]]);
  expect((await rows(table, 366))[0]?.[0]).toBe('2032-01-21');
  for (const days of [0, 367, 1.5])
    expect((await table.call(getUsageHistory, { params: table, query: { days } })).error).toMatchObject({
      status: 400,
      data: { issues: [{ path: 'query.days' }] },
    });
  await goTo('2033-03-01T00:00:00.000Z');
  const kept = await world().db.query<{ oldest: string }>(
    sql`select min(day)::text as oldest from rowhouse.usage_samples`,
  );
  expect(kept[0]?.oldest).toBe('2032-01-26');
});

test('two processes take one sample, and spaces in the trash none', async () => {
  await goTo('2034-01-01T12:00:00.000Z');
  const table = await tableOf();
  const gone = await tableOf();
  await gone.call(deleteSpace, { params: gone });
  time = Date.parse('2034-01-02T00:00:00.000Z');
  await Promise.all([keepUp(world().services), keepUp(world().services), keepUp(world().services)]);
  expect((await rows(table)).slice(-2)).toEqual([
    ['2034-01-01', 0],
    ['2034-01-02', 0],
  ]);
  expect((await gone.call(getUsageHistory, { params: gone })).status).toBe(404);
});

test('it is for owners of the space', async () => {
  const table = await tableOf();
  for (const role of ['creator', 'viewer'] as const) {
    const { call } = await member(world(), table.owner, table.spaceId, role);
    expect((await call(getUsageHistory, { params: table })).status).toBe(403);
  }
});

test('what owners are told of their plan leads to the page where it is drawn', async () => {
  const admin = await person(world(), { admin: true });
  const { spaceId, owner } = await ground(world());
  await admin.call(setSpacePlan, { params: { spaceId }, body: { level: 'pro' } });
  await jobsDone(world().db);
  await expect
    .poll(async () =>
      (await owner.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.map(
        ({ url }) => url,
      ),
    )
    .toContain(`${world().origin}/space/${spaceId}/plan`);
});
