// Comments on records of a base of Airtable, newest first there. Their authors are not here: they are named in the text.
import type { CommentBlock } from '@rowhouse/contract/comment.ts';
import { type Asking, fetchJson } from './fetch-json.ts';
import { isObject, listOf, nameOf, type OtherComment, signedBy } from './model.ts';

const mostPages = 1_000;

/** `@[usr…]` in the text; who that is stands beside it. */
const withNames = (text: string, mentioned: unknown): string =>
  text.replaceAll(/@\[(\w+)\]/g, (whole, id: string) => {
    const person = isObject(mentioned) ? mentioned[id] : undefined;
    return isObject(person) ? `@${String(person['displayName'] ?? person['name'] ?? id)}` : whole;
  });

const blocksOf = (text: string): CommentBlock[] =>
  text.split('\n').map((line) => ({ type: 'p', children: line === '' ? [] : [{ type: 'span', value: line }] }));

const commentsOf = async (asking: Asking, place: string, recordId: string): Promise<OtherComment[]> => {
  const found = new Map<string, OtherComment>();
  let offset: unknown = null;
  for (let page = 0; page < mostPages; page += 1) {
    const answer: Record<string, unknown> = await fetchJson(
      asking,
      `${place}/${recordId}/comments?pageSize=100${offset === null ? '' : `&offset=${encodeURIComponent(String(offset))}`}`,
    );
    for (const { id, author, text, mentioned, createdTime, parentCommentId } of listOf(answer['comments']).filter(
      isObject,
    )) {
      found.set(String(id), {
        id: String(id),
        recordId,
        quoteId: typeof parentCommentId === 'string' ? parentCommentId : null,
        content: signedBy(nameOf(author), blocksOf(withNames(String(text ?? ''), mentioned))),
        createdTime: new Date(String(createdTime)),
      });
    }
    offset = answer['offset'] ?? null;
    if (offset === null) break;
  }
  return [...found.values()].toSorted((a, b) => a.createdTime.getTime() - b.createdTime.getTime());
};

/** Of the records that have some, one record at a time. `place`: the address of their table. */
export async function* readComments(
  asking: Asking,
  place: string,
  recordIds: readonly string[],
): AsyncGenerator<OtherComment[]> {
  for (const recordId of recordIds) yield await commentsOf(asking, place, recordId);
}
