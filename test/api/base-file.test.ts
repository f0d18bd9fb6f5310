// A whole base as a file, and a base from it: the same under other ids.
import { randomBytes } from 'node:crypto';
import { notifyFile } from '@rowhouse/contract/attachment.ts';
import { exportBase, importBase, importBaseStream } from '@rowhouse/contract/base-file.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createField, deleteField, listFields } from '@rowhouse/contract/field.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createComment, createReaction, createSubscription, listComments } from '@rowhouse/contract/comment.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable, listTables } from '@rowhouse/contract/table.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { createView, listViews, setViewSort } from '@rowhouse/contract/view.ts';
import * as teable from '@teable/openapi';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { exportToFile, importStreamOf, upload } from '../support/base-file.ts';
import { type Person, person } from '../support/people.ts';
import { smallFile } from '../../server/domain/backup/open-backup.ts';
import { bombOf, withManifest } from '../support/bomb.ts';
import { ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { plansWith } from '../support/plans.ts';
import { member, newSpace } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const room = 3_000_000;
const world = useWorld({}, { plans: plansWith({ free: { maxSizeAttachments: room } }) });

/** Some of everything: links, what is computed over them, files, history, trash. */
const filled = async (): Promise<TestTable> => {
  const table = await tableWith(await ground(world()), [
    ...writableFields,
    { name: 'Key', type: 'singleLineText', unique: true },
    { name: 'Files', type: 'attachment' },
    { name: 'ID', type: 'autoNumber' },
  ]);
  const { call } = table;
  const add = async (field: object): Promise<string> => {
    const made = await call(createField, { params: table, body: field as never });
    expect([made.status, made.error]).toMatchObject([201, expect.anything()]);
    return made.body.id;
  };
  const other = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Cost', type: 'number' },
  ]);
  const linked = (
    await call(createRecords, {
      params: other,
      body: { records: [{ fields: { Name: 'one', Cost: 2 } }, { fields: { Name: 'two', Cost: 3 } }] },
    })
  ).body.records;
  const linkId = await add({
    name: 'Link',
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: other.tableId },
  });
  await add({
    name: 'Sum',
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: { foreignTableId: other.tableId, linkFieldId: linkId, lookupFieldId: other.fieldIds['Cost'] },
  });
  await add({
    name: 'Twice',
    type: 'formula',
    options: { expression: `{${table.fieldIds['Text']}} & {${table.fieldIds['Text']}}` },
  });
  const file = await upload(table, Buffer.from('a file'), 'text/plain', 'a.txt');
  const texts = ['plain', 'tab\there', 'back\\slash \\N \\.', `names ${table.tableId}`, 'ünïcödé 🙂'];
  const made = await call(createRecords, {
    params: table,
    body: {
      records: texts.map((text, at) => ({
        fields: {
          Text: text,
          Long: `${text}\n${text}`,
          Number: at / 3,
          Check: true,
          Date: '2024-02-29T23:59:59.999Z',
          Select: 'blue, navy',
          Tags: ['red'],
          Person: { id: table.owner.userId, title: 'Olive Owner' },
          Key: `key ${at}`,
          Files: at === 0 ? [{ token: file.token, name: 'a.txt' }] : null,
          Link: [{ id: linked[at % 2]?.id as string }],
        },
      })),
    },
  });
  expect(made.status).toBe(201);
  const [first, second] = made.body.records as unknown as [{ id: string }, { id: string }];
  await call(updateRecord, {
    params: { ...table, recordId: first.id },
    body: { record: { fields: { Text: 'changed' } } },
  });
  const commented = { tableId: table.tableId, recordId: first.id };
  const comment = (
    await call(createComment, {
      params: commented,
      body: {
        content: [
          { type: 'p', children: [{ type: 'mention', value: table.fieldIds['Text'] as string }] },
          { type: 'img', path: file.path },
        ],
      },
    })
  ).body;
  await call(createReaction, { params: { ...commented, commentId: comment.id }, body: { reaction: '🎉' } });
  await call(createComment, {
    params: commented,
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'tab\there' }] }], quoteId: comment.id },
  });
  await call(createSubscription, { params: commented });
  await call(deleteRecord, { params: { ...table, recordId: second.id } });
  const view = await call(createView, { params: table, body: { name: 'Sorted', type: 'grid' } });
  await call(setViewSort, {
    params: { ...table, viewId: view.body.id },
    body: { sort: { sortObjs: [{ fieldId: table.fieldIds['Number'] as string, order: 'desc' }] } },
  });
  await call(deleteField, { params: { ...table, fieldId: table.fieldIds['Rating'] as string } });
  await call(deleteTable, { params: await tableWith(table, [{ name: 'Text', type: 'singleLineText' }]) });
  return table;
};

const exported = ({ call, baseId }: Pick<TestTable, 'call' | 'baseId'>, history?: boolean): Promise<Buffer> =>
  exportToFile({ call }, baseId, history);

/** Everything that the API shows of a base. Tokens of files and their addresses are of this base alone. */
const shown = async (call: TestTable['call'], baseId: string, history: boolean): Promise<string> => {
  const tables = (await call(listTables, { params: { baseId } })).body;
  const parts: unknown[] = [
    tables.map(({ lastModifiedTime: _time, ...table }) => table),
    (await call(listTrashItems, { query: { resourceId: baseId, resourceType: 'base' } })).body.trashItems.map(
      ({ resourceId }) => resourceId,
    ),
  ];
  for (const { id: tableId } of tables) {
    const params = { tableId };
    const { records } = (await call(listRecords, { params, query: { fieldKeyType: 'id', take: 1_000 } })).body;
    parts.push((await call(listFields, { params })).body, (await call(listViews, { params })).body, records);
    for (const { id: recordId } of records.slice(0, 1))
      parts.push((await call(listComments, { params: { tableId, recordId } })).body);
    if (history)
      parts.push(
        (await call(listTableHistory, { params, query: { take: 1_000 } })).body.historyList.map(
          ({ id: _id, ...entry }) => entry,
        ),
      );
  }
  return JSON.stringify(parts, null, 1)
    .replace(/att[0-9A-Za-z]{21}/g, 'att')
    .replace(/\?token=[\w.]+/g, '')
    .replaceAll(baseId, 'bse');
};

test('what comes back is what was there, under other ids, with links, files and history', async () => {
  const table = await filled();
  const before = await shown(table.call, table.baseId, true);
  const bytes = await exported(table);
  // Who asked for it is told where it is, and others cannot have it by that address.
  const { notifications } = (await table.call(listNotifications, { query: { notifyStates: 'unread' } })).body;
  const [told] = notifications.filter(({ notifyType }) => notifyType === 'exportBase');
  expect(told?.message).toBe('The file of the base Base is ready to download');
  const fetched = async ({ token }: Pick<Person, 'token'>) => {
    const answer = await fetch(told?.url as string, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  expect(await fetched(table.owner)).toEqual({ status: 200, bytes });
  expect((await fetched(await member(world(), table.owner, table.baseId, 'viewer'))).status).toBe(404);
  // By somebody else, into a space of their own, while the first is there.
  const stranger = await person(world());
  const spaceId = await newSpace(stranger);
  const notify = await upload(stranger, bytes);
  teable.configApi({ endpoint: world().origin, token: table.owner.token });
  const begun = await teable.exportBase(table.baseId);
  expect([begun.status, begun.headers['x-job-id']]).toEqual([200, expect.stringMatching(/^job/)]);
  teable.configApi({ endpoint: world().origin, token: stranger.token });
  const { data } = await teable.importBase({ notify, spaceId } as never);
  expect(data.base).toMatchObject({ name: 'Base', spaceId });
  const ids = new Map(Object.entries({ ...data.tableIdMap, ...data.fieldIdMap, ...data.viewIdMap }));
  const after = await shown(stranger.call, data.base.id, true);
  expect(JSON.parse(after)).toEqual(
    JSON.parse(before.replace(/(tbl|fld|viw)[0-9A-Za-z]{16}/g, (id) => ids.get(id) ?? 'unknown')),
  );
  // Nothing is shared: not even the bytes.
  const [record] = (await stranger.call(listRecords, { params: { tableId: data.tableIdMap[table.tableId] as string } }))
    .body.records;
  const [file] = record?.fields['Files'] as { presignedUrl: string; token: string }[];
  expect(await (await fetch(file?.presignedUrl as string)).text()).toBe('a file');
  expect((await stranger.call(getBilling, { params: { spaceId } })).body.plan.usage.attachmentSize).toBe(6);
  // It works on: numbers, links and formulas.
  const tableId = data.tableIdMap[table.tableId] as string;
  const made = await stranger.call(createRecords, {
    params: { tableId },
    body: { records: [{ fields: { Text: 'new' } }] },
  });
  expect(made.body.records[0]?.fields).toMatchObject({ Twice: 'newnew', ID: 6 });
  expect(
    (await stranger.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Key: 'key 0' } }] } }))
      .status,
  ).toBe(400);
  // Without history it is smaller by that.
  const bare = await upload(stranger, await exported(table, false));
  const second = (await stranger.call(importBase, { body: { notify: bare, spaceId } })).body;
  expect(
    (
      await stranger.call(listTableHistory, {
        params: { tableId: second.tableIdMap[table.tableId] as string },
        query: {},
      })
    ).body.historyList,
  ).toEqual([]);
  expect(
    (await stranger.call(listRecords, { params: { tableId: second.tableIdMap[table.tableId] as string } })).body
      .records,
  ).toHaveLength(4);
});

test('only those who may change the base export it, nobody else sees the file, and what is no such file is refused', async () => {
  const { owner, baseId, spaceId, call } = await ground(world());
  const answer = await call(exportBase, { params: { baseId }, query: {} });
  const editor = await member(world(), owner, spaceId, 'editor');
  const creator = await member(world(), owner, spaceId, 'creator');
  expect((await editor.call(exportBase, { params: { baseId }, query: {} })).status).toBe(403);
  for (const other of [editor, creator])
    expect((await other.call(getJob, { params: { jobId: answer.headers.get('x-job-id') as string } })).status).toBe(
      404,
    );
  const bytes = await exported({ call, baseId });
  const ask = async (file: Buffer, who: Pick<Person, 'call'> = owner) => {
    const { status, error } = await who.call(importBase, { body: { notify: await upload(who, file), spaceId } });
    return [status, status < 300 ? '' : error.message];
  };
  expect(await ask(bytes, creator)).toEqual([201, '']);
  expect(await ask(bytes, editor)).toEqual([403, expect.any(String)]);
  const changed = Buffer.from(bytes);
  changed[600] = (changed[600] as number) ^ 1;
  for (const wrong of [Buffer.from('nothing of the kind'), bytes.subarray(0, bytes.length / 2), changed]) {
    const [status, message] = await ask(wrong);
    expect([status, message]).toEqual([400, expect.stringContaining('damaged or no backup')]);
    expect(message).not.toContain('/tmp');
  }
  // Some kB that are unpacked to 30 MB, where a small file may be unpacked to a few.
  const usual = smallFile.unpacked;
  onTestFinished(() => void (smallFile.unpacked = usual));
  smallFile.unpacked = 2_000_000;
  const full = await tableWith(await ground(world(), owner), [{ name: 'Key', type: 'singleLineText' }]);
  expect(await ask(await bombOf(bytes, 1))).toEqual([
    400,
    expect.stringContaining('a row that is not what Rowhouse writes'),
  ]);
  expect(await ask(await bombOf(await exported(full), 30, { hasLongRows: true }))).toEqual([
    400,
    expect.stringContaining('its rows are larger than what such a small file holds; at most'),
  ]);
  expect(await ask(await bombOf(bytes, 1, { lies: true }))).toEqual([
    400,
    expect.stringContaining('a part of it has more bytes than its manifest.json says'),
  ]);
  expect(await ask(await withManifest(bytes, () => `[${'{},'.repeat(400_000)}{}]`))).toEqual([
    400,
    expect.stringContaining('its manifest.json has more values; at most 1000000 of them are read'),
  ]);
  const none = await owner.call(importBase, { body: { notify: { token: 'att000000000000000000000' }, spaceId } });
  expect([none.status, none.error.message]).toEqual([400, expect.stringContaining('notify.token')]);
});

test('the file of an export is for the one who made it, while they may export the base', async () => {
  const { owner, baseId, spaceId } = await ground(world());
  const creator = await member(world(), owner, spaceId, 'creator');
  const begin = async () => {
    const jobId = (await creator.call(exportBase, { params: { baseId }, query: {} })).headers.get('x-job-id') as string;
    const job = await vi.waitFor(
      async () => {
        const { body } = await creator.call(getJob, { params: { jobId } });
        expect(body.state).toBe('done');
        return body;
      },
      { timeout: 50_000, interval: 20 },
    );
    return { jobId, url: (job.result as { url: string }).url };
  };
  const seen = async ({ jobId, url }: { jobId: string; url: string }, call = creator.call) => [
    (await call(getJob, { params: { jobId } })).status,
    (await fetch(url)).status,
  ];
  const first = await begin();
  expect(await seen(first)).toEqual([200, 200]);
  // A name gives no right: not by another token of theirs, not as a file of a cell, not to import from.
  expect(
    (
      await seen(first, (await creator.withToken({ hasFullAccess: true, scopes: ['space|read', 'base|read'] })).call)
    )[0],
  ).toBe(403);
  const token = /att[0-9A-Za-z]{21}/.exec(first.url)?.[0] as string;
  const own = await newSpace(creator);
  expect((await creator.call(importBase, { body: { notify: { token }, spaceId: own } })).status).toBe(400);
  expect((await creator.call(notifyFile, { params: { token }, query: {} })).status).toBe(400);
  // The next one takes the place of the one before.
  const second = await begin();
  expect([await seen(second), (await fetch(first.url)).status]).toEqual([[200, 200], 404]);
  const demanded = (is: boolean) =>
    world().db.query(sql`update rowhouse.spaces set demands_second_factor = ${is} where id = ${spaceId}`);
  await demanded(true);
  expect(await seen(second)).toEqual([403, 404]);
  await demanded(false);
  expect(await seen(second)).toEqual([200, 200]);
  expect(
    (
      await owner.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: creator.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(200);
  expect(await seen(second)).toEqual([404, 404]);
});

test('an import tells how far it is, until the base is there, or why it is not', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  await table.call(createRecords, { params: table, body: { records: [{ fields: { Name: 'kept' } }] } });
  const bytes = await exportToFile(table.owner, table.baseId);
  const events = await importStreamOf(world().origin, table.owner, table.spaceId, bytes);
  expect([...new Set(events.slice(0, -1).map(({ type }) => type))]).toEqual(['progress']);
  const last = events.at(-1);
  expect(last?.type).toBe('done');
  const tables = (await table.call(listTables, { params: { baseId: last?.data?.base.id as string } })).body;
  expect(tables.map(({ name }) => name)).toEqual(['Table']);
  const refused = await table.call(importBaseStream, {
    body: { notify: { token: 'attNONEnoneNONEnoneNONEn' }, spaceId: table.spaceId } as never,
  });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
});

test('exports have as much room as the plan has for files', async () => {
  const table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const { call, baseId, spaceId } = table;
  const { token } = await upload(table, randomBytes(room - 1_000_000), 'application/octet-stream', 'a');
  expect(
    (await call(createRecords, { params: table, body: { records: [{ fields: { Files: [{ token, name: 'a' }] } }] } }))
      .status,
  ).toBe(201);
  const copy = (await call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } })).body;
  await exported({ call, baseId });
  const jobId = (await call(exportBase, { params: { baseId: copy.id }, query: {} })).headers.get('x-job-id') as string;
  await vi.waitFor(
    async () =>
      expect((await call(getJob, { params: { jobId } })).body).toMatchObject({
        state: 'failed',
        error: expect.stringMatching(/bytes of exports/),
      }),
    { timeout: 50_000, interval: 20 },
  );
  // The same base again: it takes the place of the one before.
  expect((await exported({ call, baseId })).length).toBeGreaterThan(room - 1_000_000);
});
