// What clients ask about a whole base or space at once: names, the picture of the tables, addresses of files.
import { createFileSignature, notifyFile, signAttachments } from '@rowhouse/contract/attachment.ts';
import { createAutomation } from '@rowhouse/contract/automation.ts';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { getBaseDiagram } from '@rowhouse/contract/diagram.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { createFolder } from '@rowhouse/contract/node.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { searchSpace } from '@rowhouse/contract/space-search.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { setMatrix } from '../support/matrix.sql.ts';
import { person, type Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member, newBase } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { automationEnable: true, advancedPermissionsEnable: true } }) });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
/** Sees one table, and of it all but the field `Secret` and records that are not open. */
let bound: Person;
let orders: { id: string; fields: Record<string, string> };
let hidden: { id: string; nameId: string };
const uploaded = async (name: string): Promise<{ token: string; name: string }> => {
  const { call } = shop.owner;
  const body = { contentType: 'text/plain', contentLength: name.length, type: 1 as const };
  const { url, token } = must(await call(createFileSignature, { body }));
  await fetch(url, { method: 'PUT', body: name, headers: { 'content-type': 'text/plain' } });
  must(await call(notifyFile, { params: { token }, query: { filename: name } }));
  return { token, name };
};

beforeAll(async () => {
  shop = await openWorkshop(world());
  const { call } = shop.owner;
  const other = await shop.table({ name: 'Café staff' });
  hidden = { id: other.id, nameId: other.fields[0]?.id as string };
  const table = await shop.table({
    name: 'Cafe orders',
    icon: '🍰',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ],
    records: [],
  });
  const link = must(
    await call(createField, {
      params: { tableId: table.id },
      body: { type: 'link', name: 'Waiter', options: { relationship: 'manyOne', foreignTableId: hidden.id } },
    }),
  );
  const lookup = must(
    await call(createField, {
      params: { tableId: table.id },
      body: {
        type: 'singleLineText',
        name: 'Waiter name',
        isLookup: true,
        lookupOptions: { foreignTableId: hidden.id, linkFieldId: link.id, lookupFieldId: hidden.nameId },
      },
    }),
  );
  orders = {
    id: table.id,
    fields: Object.fromEntries([...table.fields, link, lookup].map(({ name, id }) => [name, id])),
  };
  bound = await member(world(), shop.owner, shop.spaceId, 'editor');
  const field = (name: string): string => orders.fields[name] as string;
  await setMatrix(world(), shop.baseId, [
    {
      members: [{ userId: bound.userId }],
      tables: {
        [orders.id]: {
          grants: [
            {
              actions: ['record|read'],
              fields: ['Name', 'State', 'Files', 'Waiter'].map(field),
              when: { conjunction: 'and', filterSet: [{ fieldId: field('State'), operator: 'is', value: 'open' }] },
            },
          ],
        },
      },
    },
  ]);
});

test('names of a space are found by those who see what they name', async () => {
  const { owner, spaceId, baseId } = shop;
  const params = { spaceId };
  const cafes = await newBase(owner, spaceId, 'CAFÉS');
  must(await owner.call(createFolder, { params: { baseId }, body: { name: 'cafe menus' } }));
  const trigger = { type: 'recordCreated' as const, tableId: hidden.id };
  must(
    await owner.call(createAutomation, {
      params: { baseId },
      body: { name: 'Cafe pay', trigger, steps: [{ type: 'findRecords', id: 'all', tableId: hidden.id }] },
    }),
  );
  const gone = await shop.table({ name: 'Cafe gone' });
  must(await owner.call(deleteTable, { params: { baseId, tableId: gone.id } }));
  const trashed = await newBase(owner, spaceId, 'Cafe trashed');
  must(await owner.call(deleteBase, { params: { baseId: trashed } }));

  const names = async (who: Pick<Person, 'call'>, query: object = {}): Promise<string[]> =>
    must(await who.call(searchSpace, { params, query: { search: 'cafe', pageSize: 50, ...query } })).list.map(
      ({ type, name }) => `${type} ${name}`,
    );
  const all = ['workflow Cafe pay', 'folder cafe menus', 'base CAFÉS', 'table Cafe orders', 'table Café staff'];
  expect(await names(owner)).toEqual(all);
  expect(await names(owner, { type: 'table' })).toEqual(all.slice(3));
  expect(await names(bound)).toEqual(['base CAFÉS', 'table Cafe orders']);
  expect(await names(await owner.withToken({ hasFullAccess: true, scopes: ['base|read'] }))).toEqual(['base CAFÉS']);
  expect((await (await person(world())).call(searchSpace, { params, query: { search: 'a' } })).status).toBe(404);
  const elsewhere = await owner.withToken({ baseIds: [baseId], scopes: ['base|read', 'table|read'] });
  expect((await elsewhere.call(searchSpace, { params, query: { search: 'a' } })).status).toBe(403);

  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { search: 'cafe', pageSize: 2, ...(cursor === undefined ? {} : { cursor }) };
    const page = must(await owner.call(searchSpace, { params, query }));
    expect(page.total).toBe(5);
    paged.push(...page.list.map(({ type, name }) => `${type} ${name}`));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all);
  const [first] = must(await owner.call(searchSpace, { params, query: { search: 'orders' } })).list;
  expect(first).toMatchObject({ id: orders.id, icon: '🍰', baseId, createdUser: { id: owner.userId, name: 'Owner' } });
  expect(cafes).toMatch(/^bse/);
  for (const query of [{ search: '' }, { search: 'a', cursor: 'none' }, { search: 'a', pageSize: 51 }])
    expect((await owner.call(searchSpace, { params, query })).status).toBe(400);
});

test('the picture of a base has the tables and fields that somebody sees, and what joins those', async () => {
  const params = { baseId: shop.baseId };
  const whole = must(await shop.owner.call(getBaseDiagram, { params }));
  const field = (name: string): string => orders.fields[name] as string;
  expect(whole.nodes.map(({ name }) => name)).toEqual(['Café staff', 'Cafe orders']);
  const ends = whole.edges.map(({ source, target, type }) => [source.fieldName, type, target.fieldName]);
  expect(ends).toEqual([
    ['Cafe orders', 'link', 'Waiter'],
    ['Name', 'lookup', 'Waiter name'],
  ]);
  expect(whole.edges[0]).toMatchObject({ relationship: 'oneMany', target: { tableId: orders.id } });
  const part = must(await bound.call(getBaseDiagram, { params }));
  // The link leads to a table that they do not see.
  expect(part.edges).toEqual([]);
  expect(part.nodes.map(({ id, fields }) => [id, fields.map(({ id: fieldId }) => fieldId)])).toEqual([
    [orders.id, ['Name', 'State', 'Files'].map(field)],
  ]);
  const blind = await shop.owner.withToken({ hasFullAccess: true, scopes: ['base|read', 'record|read'] });
  expect((await blind.call(getBaseDiagram, { params })).status).toBe(403);
});

test('files get addresses for those who see a cell that holds them, and for nobody else', async () => {
  const { owner, baseId } = shop;
  const [open, closed, loose] = await Promise.all(['open.txt', 'closed.txt', 'loose.txt'].map(uploaded));
  must(
    await owner.call(createRecords, {
      params: { tableId: orders.id },
      body: {
        records: [
          { fields: { Name: 'one', State: 'open', Files: [open] } },
          { fields: { Name: 'two', State: 'closed', Files: [closed] } },
        ],
      },
    }),
  );
  const attachments = [open, closed, loose, { token: 'attNONEnoneNONEnoneNONEn' }].map((file) => ({
    token: file?.token as string,
    path: `table/${file?.token}`,
  }));
  const signed = async (who: Pick<Person, 'call'>, at = baseId) =>
    must(await who.call(signAttachments, { params: { baseId: at }, body: { attachments } })).attachments;
  const all = await signed(owner);
  expect(all.map(({ token }) => token)).toEqual([open?.token, closed?.token]);
  expect(await (await fetch(all[1]?.url as string)).text()).toBe('closed.txt');
  const part = await signed(bound);
  expect(part.map(({ token }) => token)).toEqual([open?.token]);
  // As in cells: made for the person and the rules, so that it ends with them.
  expect(part[0]?.url).not.toBe(all[0]?.url);
  expect(await (await fetch(part[0]?.url as string)).text()).toBe('open.txt');
  expect(await signed(owner, await newBase(owner, shop.spaceId))).toEqual([]);
  const blind = await owner.withToken({ hasFullAccess: true, scopes: ['base|read', 'table|read'] });
  expect((await blind.call(signAttachments, { params: { baseId }, body: { attachments } })).status).toBe(403);
});
