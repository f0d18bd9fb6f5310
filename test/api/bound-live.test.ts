// Members whom rules bind, on what stays open: streams, presence and documents over /socket, at one server or another; SQL access; and View as at a second server.
import { addressOf } from '@rowhouse/contract/client.ts';
import { createDbConnection, deleteDbConnection, getDbConnection } from '@rowhouse/contract/connection.ts';
import { listenToTable, showCell } from '@rowhouse/contract/event.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { everyAction, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { connect, tryUpgrade } from '../support/socket.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { caller, type LocalWorld, openWorld, useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

const plans = plansWith({ free: { advancedPermissionsEnable: true } });
const world = useWorld({}, { plans });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const mark = 'hushhush4711';

let second: LocalWorld;
let shop: Workshop;
let bound: Person;
let table: FullTable;
let at: Record<string, string>;
let open: string;
let shut: string;

beforeAll(async () => {
  second = await openWorld(world().databaseUrl, {}, { plans });
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'creator');
  table = await shop.table({
    name: 'Orders',
    fields: ['Name', 'State', 'Secret'].map((name) => ({ name, type: 'singleLineText' })) as never,
    records: [
      { fields: { Name: 'one', State: 'open', Secret: `${mark} one` } },
      { fields: { Name: `${mark} two`, State: 'shut', Secret: `${mark} two` } },
    ] as never,
  });
  at = Object.fromEntries(table.fields.map(({ id, name }) => [name, id]));
  [open, shut] = table.records.map(({ id }) => id) as [string, string];
});
afterAll(() => second?.close());

const rules = (field = 'State', value = 'open') =>
  setRoles(shop.owner, shop.baseId, [
    {
      members: [bound.userId],
      tables: {
        [table.id]: {
          grants: [
            {
              actions: everyAction,
              fields: [at['Name'] as string, at['State'] as string],
              when: when(at[field], 'is', value),
            },
          ],
        },
      },
    },
  ]);

const params = () => ({ tableId: table.id });
const change = async (recordId: string, cells: object): Promise<void> =>
  void must(
    await shop.owner.call(updateRecord, {
      params: { ...params(), recordId },
      body: { fieldKeyType: 'name', record: { fields: cells } } as never,
    }),
  );

const stream = (where: Pick<LocalWorld, 'baseUrl'>, { token }: Pick<Person, 'token'>, query: object) =>
  listen(`${where.baseUrl}${addressOf(listenToTable, { params: params(), query } as never)}`, { token });

test('where others are in a table is for those who see all of it, also at another server', async () => {
  const mover = await member(world(), shop.owner, shop.baseId, 'viewer');
  const whole = await member(world(), shop.owner, shop.baseId, 'viewer');
  const seesAll = { [table.id]: { grants: [{ actions: ['record|read'] }] } };
  const seesOpen = { [table.id]: { grants: [{ actions: everyAction, when: when(at['State'], 'is', 'open') }] } };
  await setRoles(shop.owner, shop.baseId, [
    { members: [bound.userId], tables: seesOpen },
    { members: [mover.userId, whole.userId], tables: seesAll },
  ]);
  const sees = await stream(second, shop.owner, { presence: true });
  // Bound by rules that give them all of it.
  const seesToo = await stream(second, whole, { presence: true });
  const ear = await stream(second, bound, { presence: true, values: true });
  try {
    for (const one of [sees, seesToo, ear]) await one.until(({ name }) => name === 'ready');
    for (const recordId of [shut, open]) {
      const body = { recordId, fieldId: at['Secret'] as string };
      must(await mover.call(showCell, { params: params(), body } as never));
      for (const one of [sees, seesToo])
        await one.until(({ name, data }) => name === 'presence.cell' && data.recordId === recordId);
    }
    // What they hear next came after it.
    await change(open, { Name: 'heard' });
    await ear.until((event) => JSON.stringify(event).includes('heard'));
    expect(ear.heard.filter(({ name }) => name === 'presence.cell')).toEqual([]);
    expect(JSON.stringify(ear.heard)).not.toContain(shut);
  } finally {
    for (const one of [ear, sees, seesToo]) one.close();
    await change(open, { Name: 'one' });
  }
});

test('documents that are fetched again at another server are those that are seen there and then', async () => {
  await rules();
  const client = await connect(world().origin, { token: bound.token });
  try {
    const doc = await client.subscribe(`rec_${table.id}`, open);
    const hidden = await client.subscribe(`rec_${table.id}`, shut);
    const name = (): unknown =>
      (doc.data as { fields?: Record<string, unknown> } | undefined)?.fields?.[at['Name'] as string];
    expect([name(), hidden.type]).toEqual(['one', null]);
    // What happened meanwhile is caught up with, as far as it is seen.
    await change(shut, { Name: `${mark} third`, Secret: `${mark} fourth` });
    await change(open, { Secret: `${mark} fifth` });
    client.close();
    await expect
      .poll(() => (client.connection as unknown as { state: string }).state, { timeout: 10_000 })
      .toBe('disconnected');
    await client.rebind(second.origin);
    await change(open, { Name: 'after' });
    await expect.poll(name, { timeout: 10_000 }).toBe('after');
    await change(shut, { State: 'open', Name: 'come' });
    await expect.poll(() => JSON.stringify(hidden.data ?? null), { timeout: 10_000 }).toContain('come');
    await change(shut, { State: 'shut', Name: `${mark} gone` });
    await expect.poll(() => hidden.type, { timeout: 10_000 }).toBeNull();
    await rules('Name', 'nothing has this name');
    await expect.poll(() => doc.type, { timeout: 10_000 }).toBeNull();
    expect(JSON.stringify(client.heard)).not.toContain(mark);
  } finally {
    client.close();
    await change(open, { Name: 'one' });
    await rules();
  }
  const history = must(await bound.call(listTableHistory, { params: params(), query: {} }));
  expect(JSON.stringify(history)).not.toMatch(new RegExp(`${mark}|${shut}|${at['Secret']}`));
});

test('SQL access is not for those who are bound, whatever their role', async () => {
  await rules();
  const { baseId } = shop;
  const where = { params: { baseId } };
  for (const endpoint of [createDbConnection, getDbConnection, deleteDbConnection])
    expect((await bound.call(endpoint, where as never)).status, endpoint.name).toBe(403);
});

test('View as at another server is the same person at once, and not for connections that follow many places', async () => {
  await rules();
  const headers = { 'x-view-as': bound.userId };
  const elsewhere = caller({ baseUrl: second.baseUrl, token: shop.owner.token });
  const theirs = caller({ baseUrl: second.baseUrl, token: bound.token });
  const list = async (call: typeof elsewhere, more: object = {}) =>
    must(await call(listRecords, { params: params(), query: {}, ...more } as never)).records.map(({ id }) => id);
  expect(await list(elsewhere)).toEqual([open, shut]);
  expect(await list(elsewhere, { headers })).toEqual([open]);
  // Remembered at the second server, changed at the first.
  await rules('State', 'shut');
  expect([await list(elsewhere, { headers }), await list(theirs)]).toEqual([[shut], [shut]]);
  await rules();
  const one = (recordId: string) =>
    elsewhere(getRecord, { params: { ...params(), recordId }, query: {}, headers } as never);
  expect([(await one(open)).status, (await one(shut)).status]).toEqual([200, 404]);
  const ear = await stream(second, shop.owner, { values: true, viewAs: bound.userId });
  try {
    await ear.until(({ name }) => name === 'ready');
    await rules('State', 'shut');
    await ear.until(({ name }) => name === 'reload');
    await rules();
    await change(open, { Name: 'seen as them' });
    await ear.until((event) => JSON.stringify(event).includes('seen as them'));
    expect(JSON.stringify(ear.heard)).not.toContain(mark);
  } finally {
    ear.close();
  }
  for (const { origin } of [world(), second]) {
    const refused = await tryUpgrade(origin, { token: shop.owner.token, viewAs: bound.userId });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('viewing as') } });
  }
  expect((await tryUpgrade(second.origin, { token: shop.owner.token })).status).toBe(101);
});
