// Members who are bound by rules, at the edges of a table: files by their tokens, definitions that name hidden fields, their own views, what they deleted, imports,
// and conditions on what is computed. No door beside the cells shows more than the cells do.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createComment, listComments } from '@rowhouse/contract/comment.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { createField, getField, listFields } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { createRecords, deleteRecords, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { createView, deleteView, getView, listViews, makeViewPersonal } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { give, member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

let ahead = 0;
const world = useWorld(
  {},
  {
    plans: plansWith({ free: { advancedPermissionsEnable: true } }),
    now: () => new Date(Date.now() + ahead),
  },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const is = (fieldId: string | undefined, value: unknown, operator = 'is') => ({
  conjunction: 'and',
  filterSet: [{ fieldId, operator, value }],
});
const all = ['read', 'create', 'update', 'delete', 'comment', 'copy'].map((name) => `record|${name}`);
const everything = [
  ...all,
  'table|import',
  'table|export',
  'view|create',
  'view|update',
  'view|delete',
  'table_record_history|read',
];

let shop: Workshop;
let bound: Person;
let other: Person;
let tableId: string;
let viewId: string;
const fields: Record<string, string> = {};

beforeAll(async () => {
  shop = await openWorkshop(world());
  const table = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
      { name: 'Papers', type: 'attachment' },
    ] as never,
    records: [],
  });
  tableId = table.id;
  viewId = table.defaultViewId as string;
  for (const { id, name } of table.fields) fields[name] = id;
  bound = await member(world(), shop.owner, shop.baseId, 'editor');
  other = await member(world(), shop.owner, shop.baseId, 'editor');
});

const at = (name: string): string => fields[name] as string;

const grant = (given: object = {}) => ({
  actions: everything,
  fields: [at('Name'), at('State'), at('Files')],
  when: is(at('State'), 'open'),
  ...given,
});

const rules = (given: object = {}, tables: object = {}, besides: object = {}) =>
  setMatrix(world(), shop.baseId, [
    {
      members: [{ userId: bound.userId }, { userId: other.userId }],
      tables: { [tableId]: { grants: [grant(given)], ...besides }, ...tables },
    } as never,
  ]);

const make = async (cells: object, who: Person = shop.owner): Promise<string> =>
  must(await who.call(createRecords, { params: { tableId }, body: { records: [{ fields: cells }] } as never }))
    .records[0]?.id as string;

const update = (who: Person, recordId: string, cells: object) =>
  who.call(updateRecord, { params: { tableId, recordId }, body: { record: { fields: cells } } as never });

const ids = async (who: Person): Promise<string[]> =>
  must(await who.call(listRecords, { params: { tableId }, query: {} })).records.map(({ id }) => id);

const upload = async (who: Person, text: string, contentType = 'text/plain', type = 1) => {
  const body = { contentType, contentLength: Buffer.byteLength(text), type };
  const { url, token } = must(await who.call(createFileSignature, { body: body as never }));
  await fetch(url, { method: 'PUT', body: text, headers: { 'content-type': contentType } });
  return must(await who.call(notifyFile, { params: { token }, query: { filename: 'a.txt' } }));
};

test('a file of others is theirs where they see a cell that holds it, and otherwise its token is worth nothing', async () => {
  await rules();
  const [seen, hidden, inField] = [
    await upload(shop.owner, 'seen'),
    await upload(shop.owner, 'hidden'),
    await upload(shop.owner, 'in a field that is not seen'),
  ];
  const cell = ({ token }: { token: string }) => [{ token, name: 'x' }];
  await make({ State: 'open', Files: cell(seen), Papers: cell(inField) });
  await make({ State: 'closed', Files: cell(hidden) });
  const own = await make({ State: 'open', Name: 'own' });
  const use = (file: { token: string }) => update(bound, own, { Files: cell(file) });
  for (const file of [hidden, inField]) {
    expect((await use(file)).status).toBe(400);
    expect((await bound.call(notifyFile, { params: { token: file.token }, query: {} })).status).toBe(400);
    const content = [{ type: 'img', path: `table/${file.token}`, width: 1 }];
    const comment = await bound.call(createComment, { params: { tableId, recordId: own }, body: { content } as never });
    expect(comment.status).toBe(400);
  }
  const kept = must(await bound.call(getRecord, { params: { tableId, recordId: own }, query: {} }));
  expect(kept.fields['Files']).toBeUndefined();
  expect((await use(seen)).status).toBe(200);
  const theirs = await upload(bound, 'their own');
  expect((await use(theirs)).status).toBe(200);
  expect((await update(bound, own, { Files: [...cell(theirs), ...cell(seen)] })).status).toBe(200);
  // Not bound: everything that the base uses.
  expect((await update(shop.owner, own, { Files: cell(hidden) })).status).toBe(200);
});

test('addresses of files that rules let somebody see are theirs, end within 40 minutes, and at once when the rules are others', async () => {
  await rules();
  const file = await upload(shop.owner, 'for a while');
  const recordId = await make({ State: 'open', Name: 'with a file' });
  must(await update(shop.owner, recordId, { Files: [{ token: file.token, name: 'a.txt' }] }));
  const content = [{ type: 'img', path: file.path, width: 1 }];
  must(await shop.owner.call(createComment, { params: { tableId, recordId }, body: { content } as never }));
  const addressIn = (told: unknown): string =>
    /http[^"\s]*\/api\/attachments\/read\/private\/[^"&\s\\]*/.exec(JSON.stringify(told))?.[0] ?? 'none';
  const record = async ({ call }: Pick<Person, 'call'>, headers = {}) =>
    addressIn(must(await call(getRecord, { params: { tableId, recordId }, query: {}, headers } as never)));
  const read = async (url: string): Promise<string | number> => {
    const answer = await fetch(url);
    return answer.ok ? answer.text() : answer.status;
  };
  const { baseUrl } = world();
  const exported = await fetch(`${baseUrl}/export/${tableId}?viewId=${viewId}`, {
    headers: { authorization: `Bearer ${bound.token}` },
  });
  const ear = await listen(`${baseUrl}/table/${tableId}/events?values=true`, { token: bound.token });
  await ear.until(({ name }) => name === 'ready');
  const renamed = await update(shop.owner, recordId, { Name: 'named again', Files: null });
  const given = await update(shop.owner, recordId, { Files: [{ token: file.token, name: 'a.txt' }] });
  expect([renamed.status, given.status]).toEqual([200, 200]);
  const heard = await ear.until(({ data }) => data.operationId === given.headers.get('x-operation-id'));
  ear.close();
  const theirs = {
    record: await record(bound),
    list: addressIn(
      must(await bound.call(listRecords, { params: { tableId }, query: {} })).records.filter(
        ({ id }) => id === recordId,
      ),
    ),
    comments: addressIn(must(await bound.call(listComments, { params: { tableId, recordId }, query: {} }))),
    event: addressIn(heard),
    export: addressIn((await exported.text()).split('\n').filter((line) => line.includes('with a file'))),
    viewedAs: await record(shop.owner, { 'x-view-as': bound.userId }),
  };
  const everybodys = await record(shop.owner);
  expect(everybodys).not.toContain(bound.userId);
  for (const [place, url] of Object.entries(theirs)) {
    expect([place, url]).toEqual([place, expect.stringContaining(bound.userId)]);
    expect([place, await read(url)]).toEqual([place, 'for a while']);
  }
  // Made for one person: with the id of another one it is nobody's.
  expect(await read(theirs.record.replace(bound.userId, other.userId))).toBe(400);
  const minutes = 60_000;
  try {
    ahead = 19 * minutes;
    expect(await read(theirs.record)).toBe('for a while');
    ahead = 41 * minutes;
    expect([await read(theirs.record), await read(everybodys)]).toEqual([400, 'for a while']);
    expect(await read(await record(bound))).toBe('for a while');
  } finally {
    ahead = 0;
  }
  const before = await record(bound);
  await rules({ fields: [at('Name'), at('State')] });
  expect(await record(bound)).toBe('none');
  expect(await read(before)).toBe(400);
  await rules();
  const again = await record(bound);
  expect(await read(again)).toBe('for a while');
  const params = { baseId: shop.baseId };
  const query = { principalId: bound.userId, principalType: 'user' } as const;
  must(await shop.owner.call(removeBaseCollaborator, { params, query }));
  expect(await read(again)).toBe(400);
  await give(shop.owner, shop.baseId, bound, 'editor');
  await rules();
});

test('options of fields and links do not say what is compared with fields that are not seen', async () => {
  const people = await shop.table({
    name: 'People',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Salary', type: 'number' },
    ] as never,
    records: [],
  });
  const [name, salary] = people.fields.map(({ id }) => id) as [string, string];
  const filter = {
    conjunction: 'and',
    filterSet: [
      { fieldId: salary, operator: 'isGreater', value: 4_711_471 },
      { fieldId: name, operator: 'isNotEmpty', value: null },
    ],
  };
  const limiting = must(
    await shop.owner.call(createView, {
      params: { tableId: people.id },
      body: { type: 'grid', name: 'Rich', filter } as never,
    }),
  ).id;
  const link = must(
    await shop.owner.call(createField, {
      params: { tableId },
      body: {
        name: 'Owner',
        type: 'link',
        options: {
          foreignTableId: people.id,
          relationship: 'manyOne',
          filter,
          filterByViewId: limiting,
          visibleFieldIds: [name, salary],
        },
      } as never,
    }),
  );
  const lookup = must(
    await shop.owner.call(createField, {
      params: { tableId },
      body: {
        name: 'Owners',
        type: 'singleLineText',
        isLookup: true,
        lookupOptions: { foreignTableId: people.id, linkFieldId: link.id, lookupFieldId: name },
      } as never,
    }),
  );
  const [default_] = people.views.map(({ id }) => id);
  await rules(
    { fields: null },
    { [people.id]: { viewIds: [default_ as string], grants: [{ actions: all, fields: [name] }] } },
  );
  const listed = must(await bound.call(listFields, { params: { tableId }, query: {} }));
  const one = must(await bound.call(getField, { params: { tableId, fieldId: link.id } }));
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([link.id, lookup.id]));
  for (const told of [listed, one]) {
    expect(JSON.stringify(told)).not.toContain(salary);
    expect(JSON.stringify(told)).not.toContain('4711471');
    expect(JSON.stringify(told)).not.toContain(limiting);
  }
  expect(one.options).toMatchObject({
    visibleFieldIds: [name],
    filter: { filterSet: [{ fieldId: name, operator: 'isNotEmpty' }] },
  });
  const whole = must(await shop.owner.call(getField, { params: { tableId, fieldId: link.id } }));
  expect(JSON.stringify(whole)).toContain('4711471');
});

test('whose role lists views has personal ones besides, and nobody else sees those through it', async () => {
  await rules({}, {}, { viewIds: [viewId] });
  const params = { tableId };
  const own = must(await bound.call(createView, { params, body: { type: 'grid', name: 'Mine' } }));
  expect(own).toMatchObject({ personalOf: bound.userId });
  expect(must(await bound.call(listViews, { params })).map(({ id }) => id)).toEqual([viewId, own.id]);
  expect((await bound.call(listRecords, { params, query: { viewId: own.id } })).status).toBe(200);
  expect((await other.call(getView, { params: { ...params, viewId: own.id } })).status).toBe(404);
  const shared = await bound.call(makeViewPersonal, {
    params: { ...params, viewId: own.id },
    body: { isPersonal: false } as never,
  });
  expect(shared.status).toBe(403);
  const form = must(await shop.owner.call(createView, { params, body: { type: 'form', name: 'Ask' } })).id;
  const submit = { params, body: { viewId: form, fields: {} } };
  expect((await bound.call(submitForm, submit)).status).toBe(404);
  must(await shop.owner.call(deleteView, { params: { ...params, viewId: form } }));
  const trash = await bound.call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId } });
  expect(JSON.stringify(trash.body)).not.toContain('"Ask"');
});

test('what they deleted they can undo, also where they see a part of the records; what others deleted is not there', async () => {
  await rules({ actions: everything.filter((one) => one !== 'record|create') });
  const headers = { 'x-window-id': 'rights-1' };
  const [own, theirs] = [
    await make({ State: 'open', Name: 'own', Secret: 'kept' }),
    await make({ State: 'open', Name: 'theirs' }),
  ];
  const remove = (who: Person, recordId: string) =>
    who.call(deleteRecords, { params: { tableId }, query: { recordIds: [recordId] }, headers } as never);
  const byOwner = await remove(shop.owner, theirs);
  expect(byOwner.status).toBe(200);
  const operationId = byOwner.headers.get('x-operation-id') as string;
  expect((await bound.call(restoreHistory, { params: { tableId }, body: { operationId } })).status).toBe(404);
  expect((await remove(bound, own)).status).toBe(200);
  expect(await ids(bound)).not.toContain(own);
  const done = must(await bound.call(undo, { params: { tableId }, headers } as never));
  expect(done).toMatchObject({ status: 'fulfilled', changes: [{ kind: 'recordsRestored', count: 1 }] });
  expect(await ids(bound)).toContain(own);
  const kept = must(await shop.owner.call(getRecord, { params: { tableId, recordId: own }, query: {} }));
  expect(kept.fields).toMatchObject({ Name: 'own', Secret: 'kept' });
  // Under other rules it would come back out of sight: nothing is restored.
  expect((await remove(bound, own)).status).toBe(200);
  await rules({ when: is(at('State'), 'shut') });
  expect(must(await bound.call(undo, { params: { tableId }, headers } as never))).toMatchObject({ status: 'failed' });
  expect(await ids(shop.owner)).not.toContain(own);
});

test('who is not told times and authors reads no history, and streams name nobody', async () => {
  await rules({ fields: null, when: undefined }, {}, { hidesFacts: true });
  const params = { tableId };
  expect((await bound.call(listTableHistory, { params, query: {} })).status).toBe(403);
  const ear = await listen(
    `${world().baseUrl}${addressOf(listenToTable, { params, query: { values: true } } as never)}`,
    {
      token: bound.token,
    },
  );
  try {
    await ear.until(({ name }) => name === 'ready');
    await make({ State: 'open', Name: 'told' });
    await ear.until((event) => JSON.stringify(event).includes('told'));
    expect(JSON.stringify(ear.heard)).not.toMatch(new RegExp(`${shop.owner.userId}|createdTime|autoNumber`));
  } finally {
    ear.close();
  }
});

test('an import goes into fields that they may fill in, and does not know the others', async () => {
  await rules();
  const file = await upload(bound, 'Name,State,Secret\none,open,x\n', 'text/csv', 5);
  const go = (sourceColumnMap: object) =>
    bound.call(importRecords, {
      params: { baseId: shop.baseId, tableId },
      body: {
        attachmentUrl: file.presignedUrl,
        fileType: 'csv',
        insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow: true, sourceColumnMap },
      } as never,
    });
  const refused = await go({ [at('Name')]: 0, [at('Secret')]: 2 });
  const none = await go({ [at('Name')]: 0, fldNone: 2 });
  expect([refused.status, none.status]).toEqual([400, 400]);
  const told = ({ error }: { error: unknown }, id: string) =>
    JSON.stringify((error as { data: unknown }).data).replaceAll(id, '');
  expect(told(refused, at('Secret'))).toBe(told(none, 'fldNone'));
  expect((await go({ [at('Name')]: 0, [at('State')]: 1 })).status).toBeLessThan(300);
});
