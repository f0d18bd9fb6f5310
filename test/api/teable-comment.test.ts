// The comment functions of Teable's own client, unmodified; answers parse with its own schemas.
import * as teable from '@teable/openapi';
import { beforeAll, expect, test } from 'vitest';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
  teable.axios.defaults.baseURL = world().baseUrl;
  teable.axios.defaults.headers.common.Authorization = `Bearer ${table.owner.token}`;
});

const says = (value: string): { content: teable.ICommentContent } => ({
  content: [{ type: teable.CommentNodeType.Paragraph, children: [{ type: teable.CommentNodeType.Text, value }] }],
});

test('comments, reactions, counts, subscriptions and images', async () => {
  const { tableId } = table;
  const recordId = (await teable.createRecords(tableId, { records: [{ fields: {} }] })).data.records[0]?.id as string;
  const ids: string[] = [];
  for (let at = 0; at < 20; at += 1) {
    const made = await teable.createComment(tableId, recordId, { ...says(`${at}`), quoteId: ids[0] ?? null });
    expect(made.status).toBe(201);
    ids.push((made.data as unknown as { id: string }).id);
  }
  const page = async (query: Parameters<typeof teable.getCommentList>[2]) => {
    const { comments, nextCursor } = teable.getCommentListVoSchema.parse(
      (await teable.getCommentList(tableId, recordId, query)).data,
    );
    return [comments.map(({ id }) => ids.indexOf(id)), nextCursor == null ? null : ids.indexOf(nextCursor)];
  };
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  expect(await page({ cursor: null, take: 5 })).toEqual([range(15, 19), 14]);
  expect(await page({ cursor: ids[14] as string, take: 20 })).toEqual([range(0, 14), null]);
  expect(await page({ cursor: ids[0] as string, take: 10, direction: 'backward' })).toEqual([range(0, 9), 10]);
  expect(await page({ cursor: ids[0] as string, take: 10, direction: 'backward', includeCursor: false })).toEqual([
    range(1, 10),
    11,
  ]);

  const commentId = ids[0] as string;
  await teable.updateComment(tableId, recordId, commentId, says('changed'));
  const detail = async () => (await teable.getCommentDetail(tableId, recordId, commentId)).data as unknown;
  expect(teable.commentSchema.parse(await detail())).toMatchObject({
    ...says('changed'),
    createdBy: { id: table.owner.userId },
  });
  const [reaction] = teable.SUPPORT_EMOJIS as [string];
  await teable.createCommentReaction(tableId, recordId, commentId, { reaction });
  expect(teable.commentSchema.parse(await detail()).reaction).toMatchObject([
    { reaction, user: [{ id: table.owner.userId }] },
  ]);
  await teable.deleteCommentReaction(tableId, recordId, commentId, { reaction });
  expect(await detail()).toMatchObject({ reaction: null });
  await teable.deleteComment(tableId, recordId, commentId);
  expect(await detail()).toBe('');

  expect((await teable.getRecordCommentCount(tableId, recordId)).data).toEqual({ count: 19 });
  expect((await teable.getCommentCount(tableId, {})).data).toEqual([{ recordId, count: 19 }]);
  expect((await teable.getCommentSubscribe(tableId, recordId)).data).toBe('');
  expect((await teable.createCommentSubscribe(tableId, recordId)).status).toBe(201);
  expect(teable.commentSubscribeVoSchema.parse((await teable.getCommentSubscribe(tableId, recordId)).data)).toEqual({
    tableId,
    recordId,
    createdBy: table.owner.userId,
  });
  await teable.deleteCommentSubscribe(tableId, recordId);
  expect((await teable.getCommentSubscribe(tableId, recordId)).data).toBe('');

  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const { url, token, requestHeaders } = (
    await teable.getSignature({
      contentType: 'image/svg+xml',
      contentLength: bytes.length,
      type: teable.UploadType.Comment,
    })
  ).data;
  await fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': String(requestHeaders['Content-Type']) } });
  const { path } = (await teable.notify(token)).data;
  await teable.createComment(tableId, recordId, { content: [{ type: teable.CommentNodeType.Img, path, width: 100 }] });
  const address = (await teable.getCommentAttachmentUrl(tableId, recordId, path)).data as unknown as string;
  expect((await fetch(address)).status).toBe(200);
});
