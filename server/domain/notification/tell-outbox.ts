// Turns messages of the outbox into notifications: taken out and written in one transaction.
import { type OutboxMessage, takeFromOutbox } from '../../catalog/outbox.sql.ts';
import type { Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { outboxText } from './message.ts';
import { insertNotifications, type NewNotification } from './notification.sql.ts';
import { selectNames, selectPeopleWithRole } from './tell.sql.ts';

const batchSize = 100;

const recipientsOf = async (tx: Queryable, message: OutboxMessage): Promise<string[]> => {
  switch (message.type) {
    case 'invited':
    case 'roleChanged':
      return message.userIds.filter((userId) => userId !== message.actorId);
    default:
      return selectPeopleWithRole(tx, message.spaceId, 'owner');
  }
};

/** What has no place of its own is about the plan of a space. */
const pathOf = (message: OutboxMessage): string => ('place' in message ? `/${message.place.type}/${message.place.id}` : `/space/${message.spaceId}/plan`);

const idsIn = (message: OutboxMessage): string[] => ('place' in message ? [message.actorId, message.place.id] : [message.spaceId]);

/** Answers how many messages there were. */
export const tellOutbox = ({ db, config, newId }: Services): Promise<number> =>
  db.transaction(async (tx) => {
    const messages = await takeFromOutbox(tx, batchSize);
    if (messages.length === 0) return 0;
    const names = await selectNames(tx, [...new Set(messages.flatMap(idsIn))]);
    const made: NewNotification[] = [];
    for (const message of messages) {
      const text = outboxText(message, (id) => names.get(id) ?? 'someone');
      for (const userId of await recipientsOf(tx, message)) {
        made.push({ id: newId('not'), userId, type: 'system', message: text, path: pathOf(message), actorId: 'actorId' in message ? message.actorId : null, source: null });
      }
    }
    await insertNotifications(tx, made, config.smtpUrl !== null);
    return messages.length;
  });
