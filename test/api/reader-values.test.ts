// Conditions of grants that compare with values of the reader: cells of their own records in another table, and their groups. Cells decide then, and a change of them counts at once.
import {
  checkAuthorityMatrix,
  createAuthorityRole,
  getAuthorityRole,
  updateAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { addGroupMembers, createGroup, removeGroupMembers, updateGroup } from '@rowhouse/contract/group.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { previewRights, whoSees } from '@rowhouse/contract/rights-explained.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { everyAction, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

const world = useWorld();

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
let bound: Person;
let other: Person;
let staff: FullTable;
let clients: FullTable;
let orders: FullTable;
const at: Record<string, string> = {};
const rec: Record<string, string> = {};

const text = (name: string) => ({ name, type: 'singleLineText' });
const choices = (name: string, type: string) => ({
  name,
  type,
  options: { choices: ['north', 'south', 'west'].map((choice) => ({ name: choice })) },
});

const mine = (fieldId?: string) => ({
  type: 'mine',
  tableId: staff.id,
  keyFieldId: at['Person'],
  ...(fieldId === undefined ? {} : { fieldId }),
});

const names = async (who: Person = bound): Promise<unknown[]> => {
  const { status, body } = await who.call(listRecords, {
    params: { tableId: orders.id },
    query: { fieldKeyType: 'name' },
  } as never);
  if (status === 404) return [404];
  return body.records.map(({ fields }) => fields['Name']);
};

/** One grant on the orders, and what else they see. */
const rule = (condition: unknown, more: object = {}, tables: object = {}): Promise<string[]> =>
  setRoles(shop.owner, shop.baseId, [
    {
      members: [bound.userId, other.userId],
      tables: { [orders.id]: { grants: [{ actions: everyAction, when: condition, ...more }] }, ...tables },
    },
  ]);

const set = async (table: FullTable, recordId: string, cells: object): Promise<void> =>
  void must(
    await shop.owner.call(updateRecord, {
      params: { tableId: table.id, recordId },
      body: { fieldKeyType: 'name', record: { fields: cells } } as never,
    }),
  );

const add = async (table: FullTable, cells: object): Promise<string> =>
  must(
    await shop.owner.call(createRecords, {
      params: { tableId: table.id },
      body: { fieldKeyType: 'name', records: [{ fields: cells }] } as never,
    }),
  ).records[0]?.id as string;

const person = ({ userId }: Person) => ({ id: userId });

beforeAll(async () => {
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'editor');
  other = await member(world(), shop.owner, shop.baseId, 'viewer');
  staff = await shop.table({
    name: 'Staff',
    fields: [
      text('Name'),
      { name: 'Person', type: 'user' },
      choices('Regions', 'multipleSelect'),
      { name: 'Level', type: 'number' },
    ] as never,
    records: [],
  });
  clients = await shop.table({
    name: 'Clients',
    fields: [text('Client'), { name: 'Contacts', type: 'user', options: { isMultiple: true } }] as never,
    records: [],
  });
  orders = await shop.table({
    name: 'Orders',
    fields: [
      text('Name'),
      choices('Region', 'singleSelect'),
      text('Team'),
      { name: 'Owner', type: 'user' },
      { name: 'Level', type: 'number' },
    ] as never,
    records: [],
  });
  for (const table of [staff, clients, orders])
    for (const { id, name } of table.fields) at[table === orders ? `of ${name}` : name] = id;
  at['of Client'] = must(
    await shop.owner.call(createField, {
      params: { tableId: orders.id },
      body: {
        name: 'Client',
        type: 'link',
        options: { foreignTableId: clients.id, relationship: 'manyOne', isOneWay: true },
      } as never,
    }),
  ).id;
  rec['me'] = await add(staff, { Name: 'bound', Person: person(bound), Regions: ['north'], Level: 1 });
  rec['them'] = await add(staff, { Name: 'other', Person: person(other), Regions: ['south', 'west'], Level: 2 });
  rec['acme'] = await add(clients, { Client: 'Acme', Contacts: [person(other), person(bound)] });
  rec['beta'] = await add(clients, { Client: 'Beta', Contacts: [person(other)] });
  rec['one'] = await add(orders, {
    Name: 'one',
    Region: 'north',
    Team: 'Blue',
    Owner: person(bound),
    Level: 1,
    Client: { id: rec['acme'] },
  });
  rec['two'] = await add(orders, {
    Name: 'two',
    Region: 'south',
    Team: 'Red',
    Owner: person(other),
    Level: 2,
    Client: { id: rec['beta'] },
  });
  rec['three'] = await add(orders, { Name: 'three', Region: 'west', Team: 'green' });
});

test('records are those whose cell is one of the cells of their own records, from one request to the next', async () => {
  await rule(when(at['of Region'], 'isAnyOf', mine(at['Regions'])));
  expect(await names()).toEqual(['one']);
  expect(await names(other)).toEqual(['two', 'three']);
  await set(staff, rec['me'] as string, { Regions: ['north', 'west'] });
  expect(await names()).toEqual(['one', 'three']);
  const second = await add(staff, { Person: person(bound), Regions: ['south'] });
  expect(await names()).toEqual(['one', 'two', 'three']);
  must(await shop.owner.call(deleteRecord, { params: { tableId: staff.id, recordId: second } }));
  expect(await names()).toEqual(['one', 'three']);
  await set(staff, rec['me'] as string, { Regions: null });
  expect(await names()).toEqual([]);
  await set(staff, rec['me'] as string, { Regions: ['north'], Person: person(other) });
  expect([await names(), await names(other)]).toEqual([[], ['one', 'two', 'three']]);
  await set(staff, rec['me'] as string, { Person: person(bound) });
  expect(await names()).toEqual(['one']);
});

test('numbers, texts, people and links are compared, and the own record itself', async () => {
  await rule(when(at['of Level'], 'is', mine(at['Level'])));
  expect([await names(), await names(other)]).toEqual([['one'], ['two']]);
  await rule(when(at['of Owner'], 'isAnyOf', mine(at['Person'])));
  expect([await names(), await names(other)]).toEqual([['one'], ['two']]);
  const ofClient = { type: 'mine', tableId: clients.id, keyFieldId: at['Contacts'] };
  await rule(when(at['of Client'], 'isAnyOf', ofClient));
  expect([await names(), await names(other)]).toEqual([['one'], ['one', 'two']]);
  await rule({
    conjunction: 'or',
    filterSet: [
      when(at['of Client'], 'isAnyOf', ofClient),
      { fieldId: at['of Team'], operator: 'is', value: 'green' },
      when(at['of Level'], 'is', mine(at['Level'])),
    ],
  });
  expect([await names(), await names(other)]).toEqual([
    ['one', 'three'],
    ['one', 'two', 'three'],
  ]);
});

test('groups: by the people in them, and by their names', async () => {
  const { spaceId } = shop;
  const group = must(await shop.owner.call(createGroup, { params: { spaceId }, body: { name: 'Blue' } })).id;
  await rule(when(at['of Owner'], 'isAnyOf', { type: 'myGroups' }));
  expect([await names(), await names(other)]).toEqual([[], []]);
  const place = { params: { spaceId, groupId: group } };
  must(await shop.owner.call(addGroupMembers, { ...place, body: { userIds: [bound.userId, other.userId] } }));
  expect([await names(), await names(other)]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ]);
  await rule(when(at['of Team'], 'is', { type: 'myGroups' }));
  expect([await names(), await names(other)]).toEqual([['one'], ['one']]);
  must(await shop.owner.call(updateGroup, { ...place, body: { name: 'Red' } }));
  expect(await names()).toEqual(['two']);
  must(await shop.owner.call(removeGroupMembers, { ...place, query: { userIds: [bound.userId] } } as never));
  expect([await names(), await names(other)]).toEqual([[], ['two']]);
});

test('writes are judged by them, and a new record is given the only value', async () => {
  await rule(when(at['of Region'], 'isAnyOf', mine(at['Regions'])), {
    after: when(at['of Region'], 'isAnyOf', mine(at['Regions'])),
    memo: 'only in your regions',
  });
  const create = (cells: object) =>
    bound.call(createRecords, {
      params: { tableId: orders.id },
      body: { fieldKeyType: 'name', records: [{ fields: cells }] } as never,
    });
  const made = must(await create({ Name: 'made' })).records[0];
  expect(made?.fields).toMatchObject({ Name: 'made', Region: 'north' });
  expect((await create({ Name: 'elsewhere', Region: 'south' })).status).toBe(403);
  const move = (recordId: string | undefined, Region: string) =>
    bound.call(updateRecord, {
      params: { tableId: orders.id, recordId: recordId as string },
      body: { fieldKeyType: 'name', record: { fields: { Region } } } as never,
    });
  expect((await move(rec['two'], 'north')).status).toBe(404);
  const refused = await move(made?.id, 'south');
  expect([refused.status, JSON.stringify(refused.error)]).toEqual([
    403,
    expect.stringContaining('only in your regions'),
  ]);
  await set(staff, rec['me'] as string, { Regions: ['south'] });
  // What they had filled in is not theirs any more; no server remembers that it was.
  expect((await move(made?.id, 'south')).status).toBe(404);
  await set(staff, rec['me'] as string, { Regions: ['north', 'south'] });
  expect((await move(made?.id, 'south')).status).toBe(200);
  expect((await create({ Name: 'which one' })).status).toBe(403);
  must(await shop.owner.call(deleteRecord, { params: { tableId: orders.id, recordId: made?.id as string } }));
  await set(staff, rec['me'] as string, { Regions: ['north'] });
});

test('a stream says that there is all to read again when such a cell changes, and tells by the new one', async () => {
  await rule(when(at['of Region'], 'isAnyOf', mine(at['Regions'])));
  const address = addressOf(listenToTable, { params: { tableId: orders.id }, query: { values: true } } as never);
  const ear = await listen(`${world().baseUrl}${address}`, { token: bound.token });
  try {
    await ear.until(({ name }) => name === 'ready');
    await set(orders, rec['two'] as string, { Team: 'not for them' });
    await set(staff, rec['them'] as string, { Level: 3 });
    await set(orders, rec['one'] as string, { Team: 'for them' });
    await ear.until((event) => JSON.stringify(event).includes('for them'));
    expect(JSON.stringify(ear.heard)).not.toContain('not for them');
    // Of others: nothing is another for this listener.
    expect(ear.heard.some(({ name }) => name === 'reload')).toBe(false);
    await set(staff, rec['me'] as string, { Regions: ['south'] });
    await set(orders, rec['one'] as string, { Team: 'not any more' });
    await set(orders, rec['two'] as string, { Team: 'by now' });
    await ear.until((event) => JSON.stringify(event).includes('by now'));
    expect(ear.heard.some(({ name }) => name === 'reload')).toBe(true);
    expect(JSON.stringify(ear.heard)).not.toContain('not any more');
  } finally {
    ear.close();
    await set(staff, rec['me'] as string, { Regions: ['north'] });
    await set(staff, rec['them'] as string, { Level: 2 });
    await set(orders, rec['one'] as string, { Team: 'Blue' });
    await set(orders, rec['two'] as string, { Team: 'Red' });
  }
});

test('who sees a record, a preview and View as know the values of each person', async () => {
  const [roleId] = await rule(when(at['of Region'], 'isAnyOf', mine(at['Regions'])));
  const params = { baseId: shop.baseId };
  const seenBy = async (recordId: string | undefined): Promise<string[]> =>
    must(await shop.owner.call(whoSees, { params, query: { tableId: orders.id, recordId } } as never)).people.flatMap(
      ({ id, sees }) => (sees === 'all' && id !== shop.owner.userId ? [id] : []),
    );
  expect([await seenBy(rec['one']), await seenBy(rec['three'])]).toEqual([[bound.userId], [other.userId]]);
  const draft = {
    role: {
      id: roleId,
      tables: [
        { tableId: orders.id, grants: [{ actions: everyAction, when: when(at['of Level'], 'is', mine(at['Level'])) }] },
      ],
    },
  };
  const { people } = must(await shop.owner.call(previewRights, { params, body: draft } as never));
  const counts = Object.fromEntries(people.map((one) => [one.people[0]?.id, one.tables[0]?.records]));
  expect(counts).toEqual({
    [bound.userId]: expect.objectContaining({ before: 1, after: 1, gained: 0, lost: 0 }),
    [other.userId]: expect.objectContaining({ before: 2, after: 1, gained: 0, lost: 1 }),
  });
  const asThem = await fetch(`${world().baseUrl}/table/${orders.id}/record?fieldKeyType=name`, {
    headers: { authorization: `Bearer ${shop.owner.token}`, 'x-view-as': other.userId },
  });
  const { records } = (await asThem.json()) as { records: { fields: { Name: string } }[] };
  expect(records.map(({ fields }) => fields.Name)).toEqual(['two', 'three']);
});

test('what cannot be compared is refused with its place, and what the role itself may change is named', async () => {
  const refused = async (condition: unknown): Promise<unknown> => {
    const made = await shop.owner.call(createAuthorityRole, {
      params: { baseId: shop.baseId },
      body: { name: 'Refused', tables: [{ tableId: orders.id, grants: [{ actions: everyAction, when: condition }] }] },
    } as never);
    return [made.status, JSON.stringify(made.error)];
  };
  const place = (path: string) => [400, expect.stringContaining(`tables[0].grants[0].when.filterSet[0].${path}`)];
  const region = at['of Region'];
  for (const condition of [
    when(region, 'isNoneOf', mine(at['Regions'])),
    when(region, 'isNot', mine(at['Regions'])),
    when(region, 'isAnyOf', mine(at['Level'])),
    when(region, 'isAnyOf', { ...mine(at['Regions']), keyFieldId: at['Name'] }),
    when(region, 'isAnyOf', { ...mine(at['Regions']), tableId: 'tblNoneNoneNoneNon1' }),
    when(region, 'isAnyOf', mine()),
    when(at['of Client'], 'isAnyOf', mine()),
    when(at['of Level'], 'is', { type: 'myGroups' }),
    when(region, 'isAnyOf', { type: 'yours' }),
  ])
    expect(await refused(condition), JSON.stringify(condition)).toEqual(place('value'));
  // Nobody else has such a value: filters of requests and views do not know it.
  const asked = await bound.call(listRecords, {
    params: { tableId: orders.id },
    query: { filter: JSON.stringify(when(region, 'isAnyOf', mine(at['Regions']))) },
  } as never);
  expect(asked.status).toBe(400);

  const findings = async () =>
    must(await shop.owner.call(checkAuthorityMatrix, { params: { baseId: shop.baseId } })).findings.filter(
      ({ kind }) => kind === 'writesOwnCondition' || kind === 'conditionWithoutMeaning',
    );
  const readOnly = { actions: ['record|read'], when: when(region, 'isAnyOf', mine(at['Regions'])) };
  const only = (grants: object[]) => ({ [staff.id]: { grants } });
  await setRoles(shop.owner, shop.baseId, [
    { members: [bound.userId], tables: { [orders.id]: { grants: [readOnly] } } },
  ]);
  expect(await findings()).toEqual([]);
  await setRoles(shop.owner, shop.baseId, [
    {
      members: [bound.userId],
      tables: {
        [orders.id]: { grants: [readOnly] },
        ...only([{ actions: ['record|read', 'record|update'], fields: [at['Name'], at['Regions']] }]),
      } as never,
    },
  ]);
  expect(await findings()).toMatchObject([{ kind: 'writesOwnCondition', tableId: staff.id, fieldId: at['Regions'] }]);
});

test('a field that is gone gives nobody anything, and the role is saved as it was read', async () => {
  const [roleId] = await rule(when(at['of Region'], 'isAnyOf', mine(at['Regions'])));
  expect(await names()).toEqual(['one']);
  must(await shop.owner.call(deleteField, { params: { tableId: staff.id, fieldId: at['Regions'] as string } }));
  expect(await names()).toEqual([]);
  const path = { baseId: shop.baseId, authorityMatrixRoleId: roleId as string };
  const { name, tables } = must(await shop.owner.call(getAuthorityRole, { params: path }));
  must(await shop.owner.call(updateAuthorityRole, { params: path, body: { name, tables } as never }));
  expect(await names()).toEqual([]);
});
