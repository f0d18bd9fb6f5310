// Comments as the API answers them: with the names that people, fields and records have now, and addresses of images.
import type { Comment, CommentBlock, CommentInline, CommentPerson } from '@rowhouse/contract/comment.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context, Environment } from '../../context.ts';
import { selectUsed } from '../file/file.sql.ts';
import { urlFor } from '../file/person-address.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import type { CommentRow, PersonRow } from './comment.sql.ts';
import { mentionsOf, tokenOf } from './content.ts';

type Needs = Pick<Context, 'db' | 'files' | 'secretKey' | 'now' | 'publicUrl' | 'access'>;

/** Of those that the caller sees. */
export const recordNames = async (
  db: Environment['db'],
  sight: Sight,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const primary = sight.byId.get(sight.table.primary.id);
  if (ids.length === 0 || primary === undefined) return new Map();
  const rows = await selectRecords(db, sight, ids, { fields: [primary], keyType: 'id', format: 'text' });
  return new Map(
    rows.flatMap(({ id, json }) => {
      const title = (JSON.parse(`${json}}`) as { fields: Record<string, unknown> }).fields[primary.id];
      return typeof title === 'string' && title !== '' ? [[id, title.slice(0, 200)] as const] : [];
    }),
  );
};

/** Somebody whose account is not here, as after a base came from elsewhere. */
const unknown = (id: string): CommentPerson => ({ id, name: 'Unknown' });

export const showComments = async (
  context: Needs,
  sight: Sight,
  rows: readonly CommentRow[],
  people: readonly PersonRow[],
): Promise<Comment[]> => {
  const { db } = context;
  const urlOf = urlFor(context, context.access);
  const mentioned = mentionsOf(rows.map(({ content }) => content));
  const persons = new Map(
    people.map(({ id, name, avatar }) => [id, { id, name, ...(avatar === null ? {} : { avatar }) }]),
  );
  const records = await recordNames(db, sight, mentioned.records);
  // A file from elsewhere could name what belongs to others: only what the base uses has an address here.
  const used = new Set(
    mentioned.files.length === 0 || !sight.seesCells ? [] : await selectUsed(db, sight.table.baseId, mentioned.files),
  );
  const personOf = (id: string): CommentPerson => persons.get(id) ?? unknown(id);
  const inline = (part: CommentInline): CommentInline => {
    if (part.type !== 'mention') return part;
    const person = persons.get(part.value);
    if (person !== undefined)
      return {
        type: 'mention',
        value: part.value,
        name: person.name,
        ...('avatar' in person ? { avatar: person.avatar } : {}),
      };
    const name = sight.byId.get(part.value)?.name ?? records.get(part.value);
    return { type: 'mention', value: part.value, ...(name === undefined ? {} : { name }) };
  };
  const block = (one: CommentBlock): CommentBlock => {
    if (one.type === 'p') return { type: 'p', children: one.children.map(inline) };
    return used.has(tokenOf(one.path) ?? '') ? { ...one, url: urlOf(one.path) } : one;
  };
  return rows.map(({ id, content, createdBy, createdTime, lastModifiedTime, quoteId, reactions }) => ({
    id,
    content: content.map(block),
    createdBy: personOf(createdBy),
    createdTime,
    ...(lastModifiedTime === null ? {} : { lastModifiedTime }),
    ...(quoteId === null ? {} : { quoteId }),
    reaction: reactions?.map(({ reaction, user }) => ({ reaction, user: user.map(personOf) })) ?? null,
  }));
};
