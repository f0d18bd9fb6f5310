// Who sees what and why, what a change would do to whom, and what somebody may: told by the rules, and compared with what each person really reads, and with a model
// in plain TypeScript that knows conditions.
import {
  createAuthorityRole,
  setAuthorityMatrixStatus,
  setAuthorityRoleMembers,
  updateAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import { createField, type Field, listFields } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { addGroupMembers, createGroup } from '@rowhouse/contract/group.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { getMyRights, previewRights, whoSees } from '@rowhouse/contract/rights-explained.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Random, randomFrom } from '../../proof/random.ts';
import { howMany } from '../support/cases.ts';
import { whileLocked } from '../support/lock.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { application, tokensFor } from '../support/oauth.ts';
import { plansWith } from '../support/plans.ts';
import { seed } from '../support/seed.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { userGroupEnable: true, advancedPermissionsEnable: true } }) });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
let people: Record<'ann' | 'bob' | 'cy' | 'dee' | 'admin', Person>;
let groupId: string;
let clientsId: string;
let ordersId: string;
let viewId: string;
/** Of orders, by name. */
const fields: Record<string, string> = {};
const clientFields: Record<string, string> = {};

beforeAll(async () => {
  shop = await openWorkshop(world());
  const joins = (role: 'creator' | 'editor' | 'viewer') => member(world(), shop.owner, shop.baseId, role);
  people = {
    ann: await joins('editor'),
    bob: await joins('viewer'),
    cy: await joins('editor'),
    dee: await joins('viewer'),
    admin: await joins('creator'),
  };
  groupId = must(await shop.owner.call(createGroup, { params: { spaceId: shop.spaceId }, body: { name: 'Sales' } })).id;
  must(
    await shop.owner.call(addGroupMembers, {
      params: { spaceId: shop.spaceId, groupId },
      body: { userIds: [people.cy.userId] } as never,
    }),
  );
  const clients = await shop.table({
    name: 'Clients',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Phone', type: 'singleLineText' },
    ] as never,
    records: ['one', 'two'].map((Name) => ({ fields: { Name, Phone: `phone of ${Name}` } })) as never,
  });
  clientsId = clients.id;
  for (const { id, name } of clients.fields) clientFields[name] = id;
  const orders = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
      { name: 'Owner', type: 'user' },
    ] as never,
    records: [],
  });
  ordersId = orders.id;
  viewId = orders.defaultViewId as string;
  const add = async (body: object): Promise<string> =>
    must(await shop.owner.call(createField, { params: { tableId: ordersId }, body: body as never })).id;
  const link = await add({
    name: 'Client',
    type: 'link',
    options: { foreignTableId: clientsId, relationship: 'manyOne', isOneWay: true },
  });
  await add({
    name: 'Phone',
    type: 'singleLineText',
    isLookup: true,
    lookupOptions: { foreignTableId: clientsId, linkFieldId: link, lookupFieldId: clientFields['Phone'] },
  });
  await add({ name: 'Double', type: 'formula', options: { expression: '{Amount} * 2' } });
  for (const { id, name } of must(await shop.owner.call(listFields, { params: { tableId: ordersId }, query: {} })))
    fields[name] = id;
  const linked = clients.records.map(({ id }) => ({ id }));
  const owners = [people.ann, people.bob, people.cy];
  must(
    await shop.owner.call(createRecords, {
      params: { tableId: ordersId },
      body: {
        records: Array.from({ length: 8 }, (_one, n) => ({
          fields: {
            Name: `order ${n}`,
            State: n % 2 === 0 ? 'open' : 'closed',
            Amount: n,
            Owner: { id: owners[n % 3]?.userId as string, title: '' },
            ...(n === 5 ? {} : { Client: linked[n % 2] }),
          },
        })) as never,
      },
    }),
  );
  must(await shop.owner.call(enableShare, { params: { tableId: ordersId, viewId } }));
});

const filter = (fieldId: string | undefined, operator: string, value: unknown): FilterGroup =>
  ({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) as FilterGroup;

interface Cells {
  id: string;
  fields: Record<string, unknown>;
}

/** Empty: the table is not there for them. */
const read = async (who: Person, tableId = ordersId): Promise<Cells[]> => {
  const { status, body } = await who.call(listRecords, {
    params: { tableId },
    query: { fieldKeyType: 'id', take: 100 },
  });
  return status === 200 ? (body.records as unknown as Cells[]) : [];
};

const who = async (query: { fieldId?: string; recordId?: string }) =>
  must(await shop.owner.call(whoSees, { params: { baseId: shop.baseId }, query: { tableId: ordersId, ...query } }));

const said = ({ people: list }: ResponseOf<typeof whoSees>, { userId }: Person) => list.find(({ id }) => id === userId);

const conditions = (): (FilterGroup | undefined)[] => [
  undefined,
  undefined,
  filter(fields['State'], 'is', 'open'),
  filter(fields['Owner'], 'is', 'me'),
  filter(fields['Amount'], 'isGreater', 3),
  filter(fields['Amount'], 'isLess', 6),
];

/** The same conditions on cells that the owner read. */
const holds = (record: Cells, given: FilterGroup | undefined, { userId }: Person): boolean =>
  given === undefined ||
  given.filterSet.every((item) => {
    const { fieldId, operator, value } = item as { fieldId: string; operator: string; value: unknown };
    const cell = record.fields[fieldId];
    if (operator === 'isGreater') return typeof cell === 'number' && cell > (value as number);
    if (operator === 'isLess') return typeof cell === 'number' && cell < (value as number);
    return value === 'me' ? (cell as { id: string } | undefined)?.id === userId : cell === value;
  });

interface DrawnGrant {
  actions: string[];
  fields: string[] | null;
  when?: FilterGroup | undefined;
}

const drawGrants = (random: Random): DrawnGrant[] =>
  Array.from({ length: 1 + random.below(2) }, () => ({
    actions: random.once(6)
      ? ['record|create']
      : ['record|read', 'record|update', ...(random.once(2) ? ['table|export'] : [])],
    fields: random.once(2) ? null : Object.values(fields).filter(() => !random.once(3)),
    when: random.pick(conditions()),
  }));

const drawRole = (random: Random) => ({
  members: [
    ...(['ann', 'bob'] as const).filter(() => random.once(2)).map((name) => ({ userId: people[name].userId })),
    ...(random.once(2) ? [{ groupId }] : []),
  ],
  isDefault: random.once(4),
  tables: {
    ...(random.once(5) ? {} : { [ordersId]: { grants: drawGrants(random) } }),
    ...(random.once(3)
      ? {}
      : {
          [clientsId]: {
            grants: [
              {
                actions: ['record|read'],
                fields: random.once(2) ? null : [clientFields['Name'] as string],
                when: random.once(2) ? undefined : filter(clientFields['Name'], 'is', 'one'),
              },
            ],
          },
        }),
  },
});

const everybody = (): Person[] => [shop.owner, ...Object.values(people)];

test('who sees a record, a cell or a field is told as each of them really reads it', { timeout: 300_000 }, async () => {
  const random = randomFrom(seed);
  for (let round = 0; round < howMany(60, 5); round += 1) {
    const roles = Array.from({ length: 1 + random.below(3) }, () => drawRole(random));
    await setMatrix(world(), shop.baseId, roles, { adminIds: [people.admin.userId] });
    const all = await read(shop.owner);
    const seen = new Map<string, Cells[]>();
    for (const one of everybody()) seen.set(one.userId, await read(one));
    const record = random.pick(all);
    const about = await who({ recordId: record.id });
    for (const one of everybody()) {
      const told = said(about, one);
      const isThere = (seen.get(one.userId) ?? []).some(({ id }) => id === record.id);
      expect([round, one.name, told?.sees]).toEqual([round, one.name, isThere ? 'all' : 'none']);
      // Each grant says what the model says.
      for (const { roleId: _role, grant, obstacle, when } of told?.considered ?? []) {
        if (grant === null || obstacle === 'noRead') continue;
        expect(obstacle === undefined).toBe(holds(record, when as FilterGroup | undefined, one));
      }
      if (told?.standing === 'roles' || told?.standing === 'defaultRole')
        expect(told.considered.some(({ obstacle }) => obstacle === undefined)).toBe(isThere);
    }
    for (const [name, fieldId] of Object.entries(fields)) {
      const cell = await who({ recordId: record.id, fieldId });
      const field = await who({ fieldId });
      for (const one of everybody()) {
        const records = seen.get(one.userId) ?? [];
        const own = records.find(({ id }) => id === record.id);
        const label = [round, name, one.name];
        // An empty cell looks the same to everybody.
        if (record.fields[fieldId] !== undefined && name !== 'Client')
          expect([...label, said(cell, one)?.sees]).toEqual([
            ...label,
            own?.fields[fieldId] === undefined ? 'none' : 'all',
          ]);
        const shown = records.filter(({ fields: cells }) => cells[fieldId] !== undefined).length;
        const { sees, hiddenBy = [], considered = [] } = said(field, one) ?? {};
        if (sees === 'none') expect([...label, shown]).toEqual([...label, 0]);
        if (sees === 'all' && name !== 'Client')
          expect([...label, shown]).toEqual([
            ...label,
            all.filter(({ fields: cells }) => cells[fieldId] !== undefined).length,
          ]);
        // Somebody who is kept from a field is told by what.
        const isNamed = considered.some(({ obstacle, when }) => obstacle === undefined && when === undefined);
        if (sees === 'none' && considered.length > 0 && isNamed)
          expect([...label, hiddenBy.length > 0]).toEqual([...label, true]);
      }
    }
  }
});

test('who tells which tokens and applications read the base for each person', async () => {
  await setMatrix(world(), shop.baseId, []);
  const ann = people.ann;
  const read = async () => said(await who({ fieldId: fields['Name'] as string }), ann)?.credentials;
  const before = await read();
  expect(before).toEqual({ tokens: 1, applications: [] });
  await ann.withToken({ baseIds: [shop.baseId], scopes: ['record|read'] });
  await ann.withToken({ spaceIds: [shop.spaceId] });
  expect(await read()).toEqual({ tokens: 3, applications: [] });
  // Elsewhere, without cells, or over.
  await ann.withToken({ baseIds: ['bseElsewhere0000000'], scopes: ['record|read'] });
  await ann.withToken({ hasFullAccess: true, scopes: ['table|read'] });
  await ann.withToken({ hasFullAccess: true, expiredTime: new Date(Date.now() - 1_000) });
  await tokensFor(world(), ann, await application(shop.owner, { scopes: ['record|read'] }), { scope: 'record|read' });
  expect(await read()).toEqual({ tokens: 3, applications: ['Sheet Sync'] });
});

describe('the reasons', () => {
  const names = (...list: string[]) => list.map((name) => fields[name] as string);
  beforeAll(async () => {
    await setMatrix(
      world(),
      shop.baseId,
      [
        {
          members: [{ userId: people.ann.userId }],
          tables: {
            [ordersId]: {
              grants: [
                { actions: ['record|read'], fields: names('Name', 'Client', 'Phone', 'Double') },
                { actions: ['record|read'], fields: names('State'), when: filter(fields['Owner'], 'is', 'me') },
              ],
            },
            [clientsId]: { grants: [{ actions: ['record|read'], fields: [clientFields['Name'] as string] }] },
          },
        },
        { members: [{ groupId }], tables: { [clientsId]: { grants: [{ actions: ['record|read'] }] } } },
      ],
      { adminIds: [people.admin.userId] },
    );
  });

  test('a computed field names what of its sources is hidden', async () => {
    const phone = said(await who({ fieldId: fields['Phone'] as string }), people.ann);
    // Of orders without a client the empty cell is seen.
    expect(phone).toMatchObject({ sees: 'some', standing: 'roles' });
    expect(phone?.hiddenBy).toEqual([
      { tableId: clientsId, tableName: 'Clients', fieldId: clientFields['Phone'], fieldName: 'Phone', always: true },
    ]);
    const double = said(await who({ fieldId: fields['Double'] as string }), people.ann);
    expect(double?.hiddenBy.map(({ fieldName }) => fieldName)).toEqual(['Amount']);
  });

  test('a condition, a role by a group, no role, an owner, an administrator, visitors of a share', async () => {
    const [first] = await read(shop.owner);
    const about = await who({ fieldId: fields['State'] as string, recordId: first?.id as string });
    expect(said(about, people.ann)).toMatchObject({ sees: 'all', considered: [{ obstacle: 'noField' }, { grant: 1 }] });
    expect(said(about, people.cy)).toMatchObject({
      sees: 'none',
      considered: [{ groups: ['Sales'], grant: null, obstacle: 'noTable' }],
    });
    expect(said(about, people.dee)).toMatchObject({ sees: 'none', standing: 'noRole', considered: [] });
    expect(said(about, shop.owner)).toMatchObject({ sees: 'all', standing: 'owner' });
    expect(said(about, people.admin)).toMatchObject({ sees: 'all', standing: 'administrator' });
    expect([about.shares.map(({ sees }) => sees), about.sqlReaders]).toEqual([['all'], false]);
    const second = (await read(shop.owner))[1];
    const other = await who({ fieldId: fields['State'] as string, recordId: second?.id as string });
    expect(said(other, people.ann)?.considered[1]).toMatchObject({ grant: 1, obstacle: 'condition' });
  });

  test('what is not there is 404, and no question is 400', async () => {
    const ask = (query: object) =>
      shop.owner.call(whoSees, { params: { baseId: shop.baseId }, query: { tableId: ordersId, ...query } as never });
    expect((await ask({})).status).toBe(400);
    expect((await ask({ fieldId: 'fldAAAAAAAAAAAAAAAA' })).status).toBe(404);
    expect((await ask({ recordId: 'recAAAAAAAAAAAAAAAA' })).status).toBe(404);
    expect((await ask({ tableId: 'tblAAAAAAAAAAAAAAAA', fieldId: 'fld' })).status).toBe(404);
    expect(
      (
        await people.ann.call(whoSees, {
          params: { baseId: shop.baseId },
          query: { tableId: ordersId, fieldId: 'fld' },
        })
      ).status,
    ).toBe(403);
  });
});

describe('a preview', () => {
  const preview = async (body: object) =>
    must(await shop.owner.call(previewRights, { params: { baseId: shop.baseId }, body: body as never }));

  test('counts for each person what comes and goes, as it then is', { timeout: 300_000 }, async () => {
    const random = randomFrom(seed + 1);
    for (let round = 0; round < howMany(40, 4); round += 1) {
      await setMatrix(world(), shop.baseId, [drawRole(random), drawRole(random)], {
        adminIds: [people.admin.userId],
        isOn: !random.once(4),
      });
      const drawn = drawRole(random);
      const role = {
        name: `Drawn ${round}`,
        tables: Object.entries(drawn.tables).map(([tableId, { grants }]) => ({ tableId, grants })),
        userIds: drawn.members.flatMap((one) => ('userId' in one ? [one.userId] : [])),
        departmentIds: drawn.members.flatMap((one) => ('groupId' in one ? [one.groupId] : [])),
      };
      const told = await preview({ enabled: true, role });
      const before = new Map<string, Cells[]>();
      for (const one of everybody()) before.set(one.userId, await read(one));
      const made = must(
        await shop.owner.call(createAuthorityRole, {
          params: { baseId: shop.baseId },
          body: { name: role.name, tables: role.tables } as never,
        }),
      );
      must(
        await shop.owner.call(setAuthorityRoleMembers, {
          params: { baseId: shop.baseId, authorityMatrixRoleId: made.id },
          body: { userIds: role.userIds, departmentIds: role.departmentIds },
        }),
      );
      must(
        await shop.owner.call(setAuthorityMatrixStatus, { params: { baseId: shop.baseId }, body: { enabled: true } }),
      );
      for (const one of everybody()) {
        const [was, is] = [before.get(one.userId) ?? [], await read(one)];
        const isIn = (list: readonly Cells[]) => (record: Cells) => list.some(({ id }) => id === record.id);
        const gained = is.filter((record) => !isIn(was)(record));
        const lost = was.filter((record) => !isIn(is)(record));
        const audience = told.people.find(({ people: list }) => list.some(({ id }) => id === one.userId));
        const change = audience?.tables.find(({ tableId }) => tableId === ordersId);
        expect(change?.tookTooLong).toBeUndefined();
        const counts = change?.records ?? { before: was.length, after: was.length, gained: 0, lost: 0 };
        expect([round, one.name, counts]).toEqual([
          round,
          one.name,
          { before: was.length, after: is.length, gained: gained.length, lost: lost.length },
        ]);
        for (const example of change?.gained ?? []) expect(gained.map(({ id }) => id)).toContain(example.id);
        for (const example of change?.lost ?? []) expect(lost.map(({ id }) => id)).toContain(example.id);
        for (const { id, after } of change?.fields ?? [])
          if (after === 'none') expect(is.filter(({ fields: cells }) => cells[id] !== undefined)).toEqual([]);
      }
    }
  });

  test('counts no longer than its limit, and says what it did not count', { timeout: 60_000 }, async () => {
    const grants = [{ actions: ['record|read'], when: filter(fields['State'], 'is', 'open') }];
    const role = { name: 'Open', tables: [{ tableId: ordersId, grants }] };
    // Nothing is read of a table while somebody holds it.
    const told = await whileLocked(world(), { baseId: shop.baseId, tableId: ordersId }, () => preview({ role }));
    const [change] = told.role?.tables ?? [];
    expect(change).toMatchObject({ tableId: ordersId, tookTooLong: true, gained: [], lost: [] });
    expect(change?.records).toBeUndefined();
    expect(change?.actions.gained).toEqual(['record|read']);
    expect((await preview({ role })).role?.tables[0]).toMatchObject({ records: { before: 0, after: 4, gained: 4 } });
  });

  test('says fields, computed ones too, and actions; saves nothing; refuses what saving would refuse', async () => {
    await setMatrix(world(), shop.baseId, [], { isOn: true, adminIds: [people.admin.userId] });
    const made = must(
      await shop.owner.call(createAuthorityRole, {
        params: { baseId: shop.baseId },
        body: {
          name: 'Readers',
          tables: [{ tableId: ordersId, grants: [{ actions: ['record|read', 'record|update'] }] }],
        } as never,
      }),
    );
    const grants = [{ actions: ['record|read', 'table|export'], fields: [fields['Name'], fields['Double']] }];
    const told = await preview({ role: { id: made.id, tables: [{ tableId: ordersId, grants }] } });
    const [table] = told.role?.tables ?? [];
    expect(table?.fields).toContainEqual({
      id: fields['Double'],
      name: 'Double',
      isComputed: true,
      before: 'all',
      after: 'none',
    });
    expect(table?.actions).toEqual({ gained: ['table|export'], lost: ['record|update'] });
    expect(table?.records).toBeUndefined();
    expect([told.people, told.unchanged]).toEqual([[], 6]);
    const gone = await preview({ role: { id: made.id, deleted: true } });
    expect(gone.role?.tables[0]?.records).toMatchObject({ before: 8, after: 0, lost: 8 });
    expect(gone.role?.tables[0]?.lost).toHaveLength(3);
    const bad = await shop.owner.call(previewRights, {
      params: { baseId: shop.baseId },
      body: { role: { tables: [{ tableId: ordersId, grants: [{ actions: [], fields: ['fldNone'] }] }] } } as never,
    });
    expect(bad.status).toBe(400);
    const unknown = { params: { baseId: shop.baseId }, body: { role: { id: 'aurAAAAAAAAAAAAAAAA' } } };
    expect((await shop.owner.call(previewRights, unknown)).status).toBe(404);
    must(
      await shop.owner.call(updateAuthorityRole, {
        params: { baseId: shop.baseId, authorityMatrixRoleId: made.id },
        body: { name: 'Readers' },
      }),
    );
  });
});

test('my rights say what somebody may, and writing agrees', async () => {
  const params = { tableId: ordersId };
  await setMatrix(world(), shop.baseId, [
    {
      members: [{ userId: people.ann.userId }],
      tables: {
        [ordersId]: {
          hidesFacts: true,
          grants: [
            {
              actions: ['record|read'],
              fields: [fields['Name'] as string, fields['State'] as string, fields['Double'] as string],
            },
            {
              actions: ['record|read', 'record|update'],
              fields: [fields['State'] as string],
              when: filter(fields['Owner'], 'is', 'me'),
              memo: 'Only your own.',
            },
          ],
        },
      },
    },
  ]);
  const rights = must(await people.ann.call(getMyRights, { params }));
  expect(rights).toMatchObject({
    isBound: true,
    recordFacts: false,
    records: {
      read: 'all',
      create: { allowed: false },
      update: { extent: 'some', memos: ['Only your own.'] },
      delete: { extent: 'none', memos: [] },
    },
  });
  expect(rights.actions).toContain('record|update');
  expect(rights.actions).not.toContain('record|create');
  expect(rights.fields).toEqual({
    [fields['Name'] as string]: { read: 'all', update: 'none', create: false },
    [fields['State'] as string]: { read: 'all', update: 'some', create: false },
  });
  const update = async (record: Cells | undefined, name: string) =>
    (
      await people.ann.call(updateRecord, {
        params: { ...params, recordId: record?.id as string },
        body: { record: { fields: { [name]: 'x' } } } as never,
      })
    ).status;
  const all = await read(shop.owner);
  const own = all.find(
    ({ fields: cells }) => (cells[fields['Owner'] as string] as { id: string }).id === people.ann.userId,
  );
  const another = all.find(
    ({ fields: cells }) => (cells[fields['Owner'] as string] as { id: string }).id !== people.ann.userId,
  );
  expect([await update(own, 'State'), await update(another, 'State'), await update(own, 'Name')]).toEqual([
    200, 403, 403,
  ]);
  const whole = must(await shop.owner.call(getMyRights, { params }));
  expect(whole).toMatchObject({
    isBound: false,
    recordFacts: true,
    records: { read: 'all', update: { extent: 'all' } },
  });
  const computed: Field[] = must(await shop.owner.call(listFields, { params, query: {} })).filter(
    ({ isComputed }) => isComputed,
  );
  for (const { id } of computed) expect(whole.fields[id]).toEqual({ read: 'all', update: 'none', create: false });
  const token = await shop.owner.withToken({ hasFullAccess: true, scopes: ['table|read', 'record|create'] });
  expect(must(await token.call(getMyRights, { params }))).toMatchObject({
    actions: ['table|read', 'record|create'],
    records: { read: 'none', create: { allowed: true }, update: { extent: 'none' } },
  });
  expect((await people.dee.call(getMyRights, { params })).status).toBe(404);
});
