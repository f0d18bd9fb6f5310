// Grants that reveal: computed fields that they name show what is hidden itself, as far as somebody said yes, and no further.
import { checkAuthorityMatrix, getAuthorityRole, updateAuthorityRole } from '@rowhouse/contract/authority-matrix.ts';
import { convertField, createField, deleteField, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { previewRights } from '@rowhouse/contract/rights-explained.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { everyAction, type RealGrant, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

const world = useWorld({}, { plans: plansWith({ free: { advancedPermissionsEnable: true } }) });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
let bound: Person;
let clients: FullTable;
let orders: FullTable;
let roleId: string;
const at: Record<string, string> = {};

const text = (name: string) => ({ name, type: 'singleLineText' });
const number = (name: string) => ({ name, type: 'number' });

beforeAll(async () => {
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'viewer');
  clients = await shop.table({
    name: 'Clients',
    fields: [text('Name'), text('Phone'), number('Rebate')] as never,
    records: [
      { fields: { Name: 'Ada', Phone: 'phone-ada', Rebate: 10 } },
      { fields: { Name: 'Bob', Phone: 'phone-bob', Rebate: 20 } },
    ] as never,
  });
  orders = await shop.table({
    name: 'Orders',
    fields: [text('Name'), number('Amount')] as never,
    records: [{ fields: { Name: 'one', Amount: 100 } }, { fields: { Name: 'two', Amount: 200 } }] as never,
  });
  for (const { id, name } of orders.fields) at[name] = id;
  for (const { id, name } of clients.fields) at[`Clients.${name}`] = id;
  const add = async (body: object): Promise<string> =>
    must(await shop.owner.call(createField, { params: { tableId: orders.id }, body: body as never })).id;
  at['Client'] = await add({
    name: 'Client',
    type: 'link',
    options: { foreignTableId: clients.id, relationship: 'manyOne', isOneWay: true },
  });
  const lookup = (name: string, lookupFieldId: string | undefined, type: string) =>
    add({
      name,
      type,
      isLookup: true,
      lookupOptions: { foreignTableId: clients.id, linkFieldId: at['Client'], lookupFieldId },
    });
  at['Phone'] = await lookup('Phone', at['Clients.Phone'], 'singleLineText');
  at['Rebate'] = await lookup('Rebate', at['Clients.Rebate'], 'number');
  at['Net'] = await add({
    name: 'Net',
    type: 'formula',
    options: { expression: `{${at['Amount']}} - {${at['Rebate']}}` },
  });
  const [ada, bob] = clients.records.map(({ id }) => id);
  for (const [index, id] of [ada, bob].entries())
    must(
      await shop.owner.call(updateRecord, {
        params: { tableId: orders.id, recordId: orders.records[index]?.id as string },
        body: { record: { fields: { Client: { id } } } } as never,
      }),
    );
});

const named = (...names: string[]): string[] => names.map((name) => at[name] as string);

const grants = async (...given: readonly RealGrant[]): Promise<void> => {
  [roleId] = (await setRoles(shop.owner, shop.baseId, [
    { members: [bound.userId], tables: { [orders.id]: { grants: given } } },
  ])) as [string];
};

const read = async (): Promise<Record<string, unknown>[]> =>
  must(await bound.call(listRecords, { params: { tableId: orders.id }, query: {} })).records.map(
    ({ fields }) => fields,
  );

test('a formula shows what it is computed from, as far as that is revealed; the sources stay hidden', async () => {
  const reading = { actions: ['record|read'], fields: named('Name', 'Net') };
  await grants(reading);
  expect(await read()).toEqual([{ Name: 'one' }, { Name: 'two' }]);
  // Everything on the way: the fields of the own table, the link, the table that it leads to, and the field there.
  const all = [...named('Amount', 'Rebate', 'Client', 'Clients.Rebate'), clients.id];
  await grants({ ...reading, reveals: all });
  expect(await read()).toEqual([
    { Name: 'one', Net: 90 },
    { Name: 'two', Net: 180 },
  ]);
  const seen = must(await bound.call(listFields, { params: { tableId: orders.id }, query: {} }));
  expect(seen.map(({ name }) => name)).toEqual(['Name', 'Net']);
  expect((await bound.call(listRecords, { params: { tableId: clients.id }, query: {} })).status).toBe(404);
  for (const without of all) {
    await grants({ ...reading, reveals: all.filter((one) => one !== without) });
    expect(await read(), without).toEqual([{ Name: 'one' }, { Name: 'two' }]);
  }
});

test('in the records of the grant that reveals, and not in what other grants show', async () => {
  const reveals = [...named('Amount', 'Rebate', 'Client', 'Clients.Rebate'), clients.id];
  await grants(
    { actions: ['record|read'], fields: named('Name', 'Net') },
    { actions: ['record|read'], fields: named('Net'), when: when(at['Name'], 'is', 'two'), reveals },
  );
  expect(await read()).toEqual([{ Name: 'one' }, { Name: 'two', Net: 180 }]);
});

test('an expression that reaches for more is hidden again, and the suggestions say so', async () => {
  const reveals = [...named('Amount', 'Rebate', 'Client', 'Clients.Rebate'), clients.id];
  await grants({ actions: everyAction, fields: named('Name', 'Net'), reveals });
  const findings = async () =>
    must(await shop.owner.call(checkAuthorityMatrix, { params: { baseId: shop.baseId } })).findings.filter(
      ({ kind }) => kind === 'revealsTooLittle',
    );
  expect(await findings()).toEqual([]);
  const expression = async (text: string): Promise<void> =>
    void must(
      await shop.owner.call(convertField, {
        params: { tableId: orders.id, fieldId: at['Net'] as string },
        body: { type: 'formula', options: { expression: text } } as never,
      }),
    );
  await expression(`{${at['Phone']}} & {${at['Amount']}}`);
  expect(await read()).toEqual([{ Name: 'one' }, { Name: 'two' }]);
  expect(await findings()).toMatchObject([{ roleId, fieldId: at['Net'], tableId: orders.id }]);
  await expression(`{${at['Amount']}} - {${at['Rebate']}}`);
  expect(await read()).toMatchObject([{ Net: 90 }, { Net: 180 }]);
});

test('the preview names what would have to be revealed, and with it the field is seen', async () => {
  const reading = { actions: ['record|read'], fields: named('Name', 'Net', 'Phone') };
  await grants(reading);
  const preview = async (reveals: readonly string[]) =>
    must(
      await shop.owner.call(previewRights, {
        params: { baseId: shop.baseId },
        body: {
          role: {
            id: roleId,
            tables: [{ tableId: orders.id, grants: [{ ...reading, ...(reveals.length > 0 ? { reveals } : {}) }] }],
          },
        } as never,
      }),
    ).role;
  const before = await preview([]);
  expect(before?.hidden.map(({ fieldName, sees }) => [fieldName, sees])).toEqual([
    ['Phone', 'none'],
    ['Net', 'none'],
  ]);
  const ofNet = before?.hidden.find(({ fieldId }) => fieldId === at['Net']);
  expect(new Set(ofNet?.reveals)).toEqual(
    new Set([...named('Amount', 'Rebate', 'Client', 'Clients.Rebate'), clients.id]),
  );
  const after = await preview(ofNet?.reveals ?? []);
  expect(after?.hidden.map(({ fieldName }) => fieldName)).toEqual(['Phone']);
  // The phone has a part of what it needs: without a client it would hide nothing.
  expect(after?.tables[0]?.fields).toMatchObject([
    { name: 'Phone', after: 'some' },
    { name: 'Net', before: 'none', after: 'all' },
  ]);
});

test('what reveals has to name its fields, and ids of the base; it stays when something of it is gone', async () => {
  await grants({ actions: everyAction, fields: named('Name', 'Net') });
  const save = (grant: object) =>
    shop.owner.call(updateAuthorityRole, {
      params: { baseId: shop.baseId, authorityMatrixRoleId: roleId },
      body: { name: 'Role 0', tables: [{ tableId: orders.id, grants: [{ actions: everyAction, ...grant }] }] } as never,
    });
  const reveals = named('Amount');
  expect((await save({ reveals })).status).toBe(400);
  expect((await save({ fields: named('Net'), reveals: ['fldNoneNoneNoneNon1'] })).status).toBe(400);
  expect((await save({ actions: ['record|create'], fields: named('Net'), reveals })).status).toBe(400);
  const extra = must(
    await shop.owner.call(createField, { params: { tableId: clients.id }, body: text('Extra') as never }),
  ).id;
  must(await save({ fields: named('Net'), reveals: [...reveals, extra] }));
  must(await shop.owner.call(deleteField, { params: { tableId: clients.id, fieldId: extra } }));
  const { tables } = must(
    await shop.owner.call(getAuthorityRole, { params: { baseId: shop.baseId, authorityMatrixRoleId: roleId } }),
  );
  const [grant] = tables[0]?.grants ?? [];
  expect(grant?.reveals).toEqual([...reveals, extra]);
  must(await save(grant as object));
});

test('what is revealed is read and not written, and hears changes of its sources', async () => {
  const reveals = [...named('Amount', 'Rebate', 'Client', 'Clients.Rebate'), clients.id];
  await grants({ actions: everyAction, fields: named('Name', 'Net'), reveals });
  const write = (cells: object) =>
    bound.call(updateRecord, {
      params: { tableId: orders.id, recordId: orders.records[0]?.id as string },
      body: { fieldKeyType: 'id', record: { fields: cells } } as never,
    });
  expect((await write({ [at['Amount'] as string]: 5 })).status).toBe(404);
  const filtered = await bound.call(listRecords, {
    params: { tableId: orders.id },
    query: { filter: JSON.stringify(when(at['Amount'], 'is', 100)), fieldKeyType: 'id' } as never,
  });
  expect(filtered.status).toBe(400);
  must(
    await shop.owner.call(updateRecord, {
      params: { tableId: clients.id, recordId: clients.records[0]?.id as string },
      body: { record: { fields: { Rebate: 40 } } } as never,
    }),
  );
  expect(await read()).toMatchObject([{ Net: 60 }, { Net: 180 }]);
  expect(
    (await bound.call(createRecords, { params: { tableId: orders.id }, body: { records: [{ fields: {} }] } as never }))
      .status,
  ).toBe(201);
});
