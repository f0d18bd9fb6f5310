// Comments on records of a base of Teable. Their authors are not here: they are named in the text.
import type { CommentBlock, CommentInline } from '@rowhouse/contract/comment.ts';
import { type Asking, fetchJson } from './fetch-json.ts';
import { isObject, listOf, nameOf, type OtherComment, signedBy } from './model.ts';

const safeUrl = /^(https?:\/\/|mailto:|tel:)/i;
const mostPages = 1_000;

const inlineOf = (part: unknown): CommentInline[] => {
  if (!isObject(part)) return [];
  const { type, value, url, title, name } = part;
  if (type === 'a' && typeof url === 'string' && safeUrl.test(url))
    return [{ type: 'a', url, title: String(title ?? url) }];
  const text = type === 'mention' ? `@${String(name ?? value)}` : String(value ?? title ?? '');
  return text === '' ? [] : [{ type: 'span', value: text }];
};

/** Longer than any comment that Teable takes, and read in one go. */
const longest = 200_000;

/** Text that is not what Teable writes is the text of the comment. */
const parsed = (content: string): unknown => {
  const asText = [{ type: 'p', children: [{ type: 'span', value: content.slice(0, longest) }] }];
  if (content.length > longest) return asText;
  try {
    return JSON.parse(content);
  } catch {
    return asText;
  }
};

const blocksOf = (content: unknown, author: string): CommentBlock[] => {
  const blocks = listOf(typeof content === 'string' ? parsed(content) : content).filter(isObject);
  const written: CommentBlock[] = blocks.map(({ type, children }) => ({
    type: 'p',
    children: type === 'img' ? [{ type: 'span', value: '[image]' }] : listOf(children).flatMap(inlineOf),
  }));
  return signedBy(author, written);
};

const commentsOf = async (asking: Asking, tableId: string, recordId: string): Promise<OtherComment[]> => {
  const found = new Map<string, OtherComment>();
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const answer: Record<string, unknown> = await fetchJson(
      asking,
      `/api/comment/${tableId}/${recordId}/list?take=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`,
    );
    const before = found.size;
    for (const comment of listOf(answer['comments']).filter(isObject)) {
      const { id, content, createdBy, createdTime, quoteId } = comment;
      found.set(String(id), {
        id: String(id),
        recordId,
        quoteId: typeof quoteId === 'string' ? quoteId : null,
        content: blocksOf(content, nameOf(createdBy)),
        createdTime: new Date(String(createdTime)),
      });
    }
    cursor = answer['nextCursor'] ?? undefined;
    if (cursor === undefined || found.size === before) break;
  }
  return [...found.values()].toSorted((a, b) => a.createdTime.getTime() - b.createdTime.getTime());
};

/** Of a table with so many records, those of one record at a time. */
export async function* readComments(
  asking: Asking,
  tableId: string,
  records: number,
  pageSize: number,
): AsyncGenerator<OtherComment[]> {
  for (let skip = 0; skip < records; skip += pageSize) {
    const counts = await fetchJson(asking, `/api/comment/${tableId}/count?take=${pageSize}&skip=${skip}`);
    for (const { recordId } of listOf(counts).filter(isObject))
      yield await commentsOf(asking, tableId, String(recordId));
  }
}
