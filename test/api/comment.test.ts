// Comments on records: who may write what, who is told, what is heard, and where they go with their record.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { listAuditLog } from '@rowhouse/contract/audit.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import * as contract from '@rowhouse/contract/comment.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, deleteRecord } from '@rowhouse/contract/record.ts';
import { deleteTable, duplicateTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTable } from '../../server/catalog/table.ts';
import { addComments } from '../../server/domain/comment/add-comments.ts';
import { dropLostComments } from '../../server/domain/comment/jobs.ts';
import { selectMentioned } from '../../server/domain/file/collect.sql.ts';
import { commentCount } from '../support/comments.sql.ts';
import { listen } from '../support/listen.ts';
import type { Person } from '../support/people.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { give, member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, {}, { isForCluster: true });
judgeStatements(world, true);
let table: TestTable;
let owner: Person;
let ada: Person;
let ben: Person;
let viewer: Person;

beforeAll(async () => {
  table = await tableWith(await ground(world()));
  owner = table.owner;
  [ada, ben, viewer] = await Promise.all([
    member(world(), owner, table.spaceId, 'commenter'),
    member(world(), owner, table.spaceId, 'editor'),
    member(world(), owner, table.spaceId, 'viewer'),
  ]);
});

const text = (value: string): contract.CommentBlock => ({ type: 'p', children: [{ type: 'span', value }] });
const mention = (value: string): contract.CommentBlock => ({ type: 'p', children: [{ type: 'mention', value }] });

const record = async (name = 'A record', on = table): Promise<{ tableId: string; recordId: string }> => {
  const made = await on.call(createRecords, { params: on, body: { records: [{ fields: { Text: name } }] } });
  return { tableId: on.tableId, recordId: made.body.records[0]?.id as string };
};

type Params = Awaited<ReturnType<typeof record>>;

const write = (who: Pick<Person, 'call'>, params: Params, content: contract.CommentBlock[], quoteId?: string) =>
  who.call(contract.createComment, { params, body: { content, ...(quoteId === undefined ? {} : { quoteId }) } });

const texts = async (params: Params, who: Pick<Person, 'call'> = owner): Promise<string[]> =>
  (await who.call(contract.listComments, { params })).body.comments.map(({ content }) =>
    JSON.stringify(content).replace(/.*"value":"([^"]*)".*/, '$1'),
  );

test('a commenter comments, edits and deletes their own; others read, and those who manage the table delete, which is in the audit log', async () => {
  const params = await record();
  const made = await write(ada, params, [text('first')]);
  expect([made.status, made.body]).toMatchObject([
    201,
    { content: [text('first')], createdBy: { id: ada.userId, name: ada.name }, reaction: null },
  ]);
  const commentId = made.body.id;
  const at = { ...params, commentId };
  expect((await write(viewer, params, [text('no')])).status).toBe(403);
  expect((await viewer.call(contract.getComment, { params: at })).body).toEqual(made.body);

  const change = (who: Person, value: string) =>
    who.call(contract.updateComment, { params: at, body: { content: [text(value)] } });
  expect((await change(owner, 'mine')).error?.message).toContain('Only the author');
  expect((await change(ada, 'changed')).status).toBe(200);
  const [read] = (await viewer.call(contract.listComments, { params })).body.comments;
  expect(read).toMatchObject({
    content: [text('changed')],
    createdTime: made.body.createdTime,
    lastModifiedTime: expect.stringMatching(/Z$/),
  });

  expect((await ben.call(contract.deleteComment, { params: at })).status).toBe(403);
  expect((await owner.call(contract.deleteComment, { params: at })).status).toBe(200);
  const own = await write(ada, params, [text('own')]);
  expect((await ada.call(contract.deleteComment, { params: { ...params, commentId: own.body.id } })).status).toBe(200);
  expect(await texts(params)).toEqual([]);
  expect((await ada.call(contract.deleteComment, { params: at })).status).toBe(404);
  const log = (await owner.call(listAuditLog, { params: { spaceId: table.spaceId } })).body.entries.filter(
    ({ action }) => action === 'comment.deleted',
  );
  expect(log).toMatchObject([
    { target: { commentId, recordId: params.recordId, tableId: table.tableId, userId: ada.userId } },
  ]);
});

test('pages go to older and to newer comments; a cursor that is not on the record is refused', async () => {
  const params = await record();
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) ids.push((await write(owner, params, [text(`${at}`)])).body.id);
  const page = async (query: object) => {
    const { comments, nextCursor } = (await owner.call(contract.listComments, { params, query })).body;
    return [comments.map(({ id }) => ids.indexOf(id)), nextCursor === null ? null : ids.indexOf(nextCursor)];
  };
  expect(await page({ take: 3 })).toEqual([[4, 5, 6], 3]);
  expect(await page({ take: 3, cursor: ids[3] })).toEqual([[1, 2, 3], 0]);
  expect(await page({ take: 3, cursor: ids[3], includeCursor: false })).toEqual([[0, 1, 2], null]);
  expect(await page({ take: 3, cursor: ids[0], direction: 'backward' })).toEqual([[0, 1, 2], 3]);
  expect(await page({ take: 3, cursor: ids[3], direction: 'backward', includeCursor: false })).toEqual([
    [4, 5, 6],
    null,
  ]);
  const other = await record();
  expect((await owner.call(contract.listComments, { params: other, query: { cursor: ids[0] as string } })).status).toBe(
    400,
  );
  expect(
    (await owner.call(contract.getComment, { params: { ...other, commentId: ids[0] as string } })).body,
  ).toBeUndefined();
  expect((await owner.call(contract.listComments, { params: { ...other, recordId: newId('rec') } })).status).toBe(404);
});

test('people, fields and records are mentioned by id and shown by name; what is not there, and addresses that could act, are refused', async () => {
  const params = await record('Named');
  const { recordId } = params;
  const fieldId = table.fieldIds['Text'] as string;
  const made = await write(ada, params, [
    {
      type: 'p',
      children: [
        { type: 'mention', value: ben.userId, name: 'Forged' },
        { type: 'mention', value: fieldId },
        { type: 'mention', value: recordId },
        { type: 'a', url: 'https://example.com', title: 'Link' },
        { type: 'span', value: 'null \0 and \ud800' },
      ],
    },
  ]);
  expect(made.body.content).toEqual([
    {
      type: 'p',
      children: [
        { type: 'mention', value: ben.userId, name: ben.name },
        { type: 'mention', value: fieldId, name: 'Text' },
        { type: 'mention', value: recordId, name: 'Named' },
        { type: 'a', url: 'https://example.com', title: 'Link' },
        { type: 'span', value: 'null  and \ufffd' },
      ],
    },
  ]);
  const refused = [
    [mention(newId('usr'))],
    [mention(newId('fld'))],
    [mention(newId('rec'))],
    [mention('bseXXXXXXXXXXXXXXXX')],
    [{ type: 'p', children: [{ type: 'a', url: 'javascript:alert(1)', title: 'x' }] } as const],
    [{ type: 'img', path: 'table/att000000000000000000000' } as const],
    [{ type: 'img', path: '../../etc/passwd' } as const],
    [],
    [text('x'.repeat(49_000)), text('x'.repeat(49_000)), text('x'.repeat(49_000))],
  ];
  for (const content of refused)
    expect((await write(ada, params, content as contract.CommentBlock[])).status).toBe(400);
  expect(
    (await write(ada, params, [text('quote')], (await write(ada, await record(), [text('elsewhere')])).body.id)).error
      ?.message,
  ).toContain('no such comment on this record');
  expect(await texts(params)).toHaveLength(1);
});

test('images have signed addresses, which only those who see the record get, and are not collected', async () => {
  const params = await record();
  const { body: signed } = await ada.call(createFileSignature, {
    body: { contentType: 'image/svg+xml', contentLength: 60, type: 7, baseId: table.baseId },
  });
  expect(
    (
      await viewer.call(createFileSignature, {
        body: { contentType: 'image/png', contentLength: 60, type: 7, baseId: table.baseId },
      })
    ).status,
  ).toBe(403);
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'.padEnd(60).slice(0, 60));
  await fetch(signed.url, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/svg+xml' } });
  const { path } = (await ada.call(notifyFile, { params: { token: signed.token } })).body;
  const address = (who: Person, at: Params = params) =>
    who.call(contract.getCommentAttachment, { params: { ...at, path } });
  expect((await address(ada)).status).toBe(404);
  const made = await write(ada, params, [{ type: 'img', path, width: 300 }]);
  const [image] = made.body.content as unknown as [{ url: string }];
  expect(image).toMatchObject({ path, width: 300, url: expect.stringContaining(signed.token) });
  expect((await fetch(image.url)).status).toBe(200);
  expect((await address(viewer)).body).toBe(image.url);
  expect((await address(viewer, await record())).status).toBe(404);
  expect([...(await world().db.transaction((tx) => selectMentioned(tx, table.baseId)))]).toContain(signed.token);
});

test('reactions are one per person and kind, also when they come at once', async () => {
  const params = { ...(await record()), commentId: '' };
  params.commentId = (await write(ada, params, [text('nice')])).body.id;
  const react = (who: Person, reaction: string) =>
    who.call(contract.createReaction, { params, body: { reaction: reaction as '👍' } });
  await Promise.all([react(ada, '👍'), react(ben, '👍'), react(ben, '👍'), react(ben, '🎉')]);
  const shown = async () =>
    (await viewer.call(contract.getComment, { params })).body?.reaction
      ?.map(({ reaction, user }) => [reaction, user.map(({ id }) => id).toSorted()])
      .toSorted() ?? null;
  expect(await shown()).toEqual(
    [
      ['🎉', [ben.userId]],
      ['👍', [ada.userId, ben.userId].toSorted()],
    ].toSorted(),
  );
  expect((await react(ben, '🐢')).status).toBe(400);
  expect((await react(viewer, '👍')).status).toBe(403);
  const back = (who: Person, reaction: string) =>
    who.call(contract.deleteReaction, { params, body: { reaction: reaction as '👍' } });
  expect((await back(viewer, '👍')).status).toBe(403);
  for (const [who, reaction] of [
    [ben, '👍'],
    [ada, '👍'],
    [ben, '🎉'],
    [ben, '🎉'],
  ] as const)
    await back(who, reaction);
  expect(await shown()).toBeNull();
});

test('counts are of a record, or of the records of a query that have comments', async () => {
  const own = await tableWith(table);
  const [one, two, three] = [await record('one', own), await record('two', own), await record('three', own)];
  const counts = async (query: object) => (await own.call(contract.countCommentsByQuery, { params: own, query })).body;
  expect(await counts({})).toEqual([]);
  for (const params of [one, one, three]) await write(ada, params, [text('c')]);
  expect(await counts({})).toEqual(
    expect.arrayContaining([
      { recordId: one.recordId, count: 2 },
      { recordId: three.recordId, count: 1 },
    ]),
  );
  expect(await counts({ take: 2 })).toEqual([{ recordId: one.recordId, count: 2 }]);
  expect(await counts({ selectedRecordIds: [two.recordId, three.recordId] })).toEqual([
    { recordId: three.recordId, count: 1 },
  ]);
  expect(await counts({ filterByTql: "{Text} = 'three'" })).toEqual([{ recordId: three.recordId, count: 1 }]);
  expect((await own.call(contract.countComments, { params: one })).body).toEqual({ count: 2 });
  expect((await own.call(contract.countComments, { params: two })).body).toEqual({ count: 0 });
  // They are about the original: a copy begins without.
  const { id: tableId } = (
    await own.call(duplicateTable, { params: own, body: { name: 'Copy', includeRecords: true } })
  ).body;
  expect((await own.call(contract.countCommentsByQuery, { params: { tableId }, query: {} })).body).toEqual([]);
});

test('those who follow, are mentioned, quoted or reacted to are told once, but not the author nor those without access any more', async () => {
  const params = await record('The  record');
  const gone = await member(world(), owner, table.spaceId, 'viewer');
  const news = async (who: Person): Promise<string[]> =>
    (await who.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications
      .filter(({ url }) => url.includes(params.recordId))
      .map(({ notifyType, message }) => (notifyType === 'comment' ? message : ''))
      .toReversed();
  for (const who of [ada, viewer, gone])
    expect((await who.call(contract.createSubscription, { params })).body).toEqual({
      ...params,
      createdBy: who.userId,
    });
  await owner.call(removeSpaceCollaborator, {
    params: { spaceId: table.spaceId },
    query: { principalId: gone.userId, principalType: 'user' },
  });

  const asked = await write(ben, params, [mention(ada.userId)]);
  const where = 'The record in';
  await vi.waitFor(
    async () =>
      expect([await news(ada), await news(viewer)]).toEqual([
        [expect.stringContaining(`mentioned you in a comment on ${where}`)],
        [expect.stringContaining(`commented on ${where}`)],
      ]),
    50_000,
  );
  await write(ada, params, [text('answer')], asked.body.id);
  const at = { ...params, commentId: asked.body.id };
  await owner.call(contract.createReaction, { params: at, body: { reaction: '🚀' } });
  await owner.call(contract.createReaction, { params: at, body: { reaction: '🎉' } });
  // Ada is mentioned again, and the viewer knows of the comment: only the owner hears something new.
  await ben.call(contract.updateComment, {
    params: at,
    body: { content: [mention(ada.userId), mention(viewer.userId), mention(owner.userId)] },
  });
  await viewer.call(contract.deleteSubscription, { params });
  await vi.waitFor(async () => expect(await news(owner)).toHaveLength(1), 50_000);
  await vi.waitFor(async () => expect(await news(ben)).toHaveLength(2), 50_000);
  expect(await news(ben)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`replied to your comment on ${where}`),
      expect.stringContaining(`reacted with 🚀 to your comment on ${where}`),
    ]),
  );
  expect(await news(owner)).toEqual([expect.stringContaining('mentioned you')]);
  expect([await news(ada), await news(viewer)]).toMatchObject([{ length: 1 }, { length: 2 }]);
  expect(await news(gone)).toEqual([]);
  expect((await viewer.call(contract.getSubscription, { params })).body).toBeUndefined();
});

test('changes are heard by those who listen to the table', async () => {
  const params = await record();
  const ear = await listen(`${world().baseUrl}/table/${table.tableId}/events?values=true`, { token: viewer.token });
  await ear.until(({ name }) => name === 'ready');
  const made = await write(ada, params, [text('heard')]);
  await ada.call(contract.deleteComment, { params: { ...params, commentId: made.body.id } });
  await ear.until(() => ear.heard.filter(({ name }) => name === 'comments.changed').length === 2);
  expect(ear.heard.slice(1)).toMatchObject(
    [1, 2].map(() => ({
      name: 'comments.changed',
      data: { tableId: table.tableId, recordIds: [params.recordId], by: ada.userId },
    })),
  );
  ear.close();
});

test('comments are in the trash with their record and table, come back with them, and go for good with them', async () => {
  const own = await tableWith(table);
  const [kept, lost] = [await record('kept', own), await record('lost', own)];
  for (const params of [kept, lost]) await write(ada, params, [text('stays')]);
  await ada.call(contract.createSubscription, { params: lost });
  await owner.call(deleteRecord, { params: kept });
  expect((await owner.call(contract.listComments, { params: kept })).status).toBe(404);
  expect((await write(owner, kept, [text('no')])).status).toBe(404);
  await dropLostComments(world().services);
  const items = async () =>
    (await owner.call(listTrashItems, { query: { resourceType: 'table', resourceId: own.tableId } })).body.trashItems;
  await owner.call(restoreTrash, { params: { trashId: (await items())[0]?.id as string } });
  expect(await texts(kept)).toEqual(['stays']);

  await owner.call(deleteRecord, { params: lost });
  await owner.call(resetTrashItems, { query: { resourceType: 'table', resourceId: own.tableId } });
  await dropLostComments(world().services);
  expect(await commentCount(world().db, table.baseId, own.tableId)).toEqual({ comments: 1, subscriptions: 0 });

  await owner.call(deleteTable, { params: own });
  expect((await owner.call(contract.listComments, { params: kept })).status).toBe(404);
  await owner.call(restoreTrash, { params: { trashId: `tra${own.tableId.slice(3)}` } });
  expect(await texts(kept)).toEqual(['stays']);
  await owner.call(deleteTable, { params: own });
  await owner.call(resetTrashItems, { query: { resourceType: 'base', resourceId: table.baseId } });
  expect(await commentCount(world().db, table.baseId, own.tableId)).toEqual({ comments: 0, subscriptions: 0 });
});

test('an import adds comments with their authors and times', async () => {
  const own = await tableWith(await ground(world()));
  const params = await record('moved', own);
  await give(own.owner, own.spaceId, ada, 'commenter');
  const made = await write(ada, params, [mention(own.fieldIds['Text'] as string)]);
  const schema = await loadTable(world().db, own.baseId, own.tableId);
  const given = [
    {
      id: newId('com'),
      recordId: params.recordId,
      quoteId: made.body.id,
      content: [text('from elsewhere')],
      createdBy: own.owner.userId,
      createdTime: new Date('2020-01-02T03:04:05.678Z'),
    },
    {
      id: newId('com'),
      recordId: newId('rec'),
      quoteId: null,
      content: [text('of no record')],
      createdBy: own.owner.userId,
      createdTime: new Date(),
    },
  ];
  const operation = {
    publicId: newId('opr'),
    kind: 'comment' as const,
    actor: own.owner.userId,
    tokenId: null,
    clientId: null,
  };
  expect(await world().db.transaction((tx) => addComments(tx, schema, given, operation))).toBe(1);

  const { comments } = (await own.call(contract.listComments, { params })).body;
  expect(comments).toMatchObject([
    {
      content: [text('from elsewhere')],
      createdBy: { id: own.owner.userId },
      createdTime: '2020-01-02T03:04:05.678Z',
      quoteId: made.body.id,
    },
    {
      content: [{ type: 'p', children: [{ type: 'mention', value: own.fieldIds['Text'], name: 'Text' }] }],
      createdBy: { id: ada.userId, name: ada.name },
    },
  ]);
});
