// Who is told of a comment: those whom it mentions, whom it answers, and who follow the record; each once, never its author, and
// only those who still see the record.
import { can, lookUpAccess } from '../../catalog/access.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { selectSubscribers } from '../comment/subscription.sql.ts';
import { recordNames } from '../comment/show-comments.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import type { Notify } from '../record/write/notify.ts';
import { type CommentReason, commentText } from './message.ts';
import type { NewNotification } from './notification.sql.ts';
import type { NamingOperation } from './notify.sql.ts';

type News = NonNullable<Notify['comment']>;

/** By user id; the first reason counts. */
const reasonsOf = async (
  tx: Tx,
  baseId: string,
  { actor, tableId }: NamingOperation,
  news: News,
): Promise<Map<string, CommentReason>> => {
  const { recordId, cause, mentioned, authorId, reaction } = news;
  const reasons = new Map<string, CommentReason>();
  const add = (userId: string, reason: CommentReason): void => {
    if (userId !== actor && !reasons.has(userId)) reasons.set(userId, reason);
  };
  for (const userId of mentioned) add(userId, { why: 'mentioned' });
  if (authorId !== undefined)
    add(authorId, cause === 'reacted' ? { why: 'reacted', reaction: reaction ?? '' } : { why: 'quoted' });
  if (cause === 'created')
    for (const userId of await selectSubscribers(tx, baseId, tableId, recordId)) add(userId, { why: 'followed' });
  return reasons;
};

/** Undefined when they do not see the table any more. */
export const sightFor = async (
  tx: Tx,
  { now }: Services,
  baseId: string,
  tableId: string,
  userId: string,
): Promise<Sight | undefined> => {
  try {
    const { access, refusal } = await lookUpAccess(
      tx,
      { kind: 'starter', userId, tokenId: null, clientId: null },
      { type: 'table', id: tableId, trashed: false },
    );
    if (refusal !== null || !can(access, 'record|read')) return undefined;
    return sightOf({ access, principal: access.principal, now }, await loadTable(tx, baseId, tableId));
  } catch (error) {
    // The account is gone or shut, or the table is.
    if (error instanceof ApiError && error.passes === 'no') return undefined;
    throw error;
  }
};

export const commentNotifications = async (
  tx: Tx,
  services: Services,
  baseId: string,
  operation: NamingOperation,
  news: News,
  { actorName, tableName }: { actorName: string; tableName: string },
): Promise<NewNotification[]> => {
  const made: NewNotification[] = [];
  const { actor, tableId } = operation;
  for (const [userId, reason] of await reasonsOf(tx, baseId, operation, news)) {
    const sight = await sightFor(tx, services, baseId, tableId, userId);
    if (sight === undefined || !(await selectRecordVersions(tx, sight, [news.recordId])).has(news.recordId)) continue;
    const name = (await recordNames(tx, sight, [news.recordId])).get(news.recordId) ?? '';
    made.push({
      id: services.newId('not'),
      userId,
      type: 'comment',
      message: commentText(reason, actorName, name.replace(/\s+/g, ' ').slice(0, 100), tableName),
      path: `/base/${baseId}/${tableId}?recordId=${news.recordId}&commentId=${news.id}`,
      actorId: actor,
      // Of one comment, and of one person's reactions to it, nobody is told twice.
      source: reason.why === 'reacted' ? `reaction:${news.id}:${actor}` : `comment:${news.id}:${userId}`,
    });
  }
  return made;
};
