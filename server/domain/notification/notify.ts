// Turns a message of the outbox into notifications.
import type { OutboxMessage } from '../../catalog/outbox.ts';
import type { Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { outboxText } from './message.ts';
import { insertNotifications, type NewNotification } from './notification.sql.ts';
import { selectNames, selectPeopleWithRole } from './notify.sql.ts';

const recipientsOf = async (tx: Queryable, message: OutboxMessage): Promise<string[]> => {
  switch (message.type) {
    case 'invited':
    case 'roleChanged':
      return message.userIds.filter((userId) => userId !== message.actorId);
    case 'spaceTakenOver':
      return (await selectPeopleWithRole(tx, message.spaceId, 'owner')).filter((userId) => userId !== message.actorId);
    default:
      return selectPeopleWithRole(tx, message.spaceId, 'owner');
  }
};

/** What has no place of its own is about the plan of a space. */
const pathOf = (message: OutboxMessage): string =>
  message.type === 'webhookEnded' || message.type === 'automationEnded'
    ? `/base/${message.baseId}`
    : message.type === 'spaceTakenOver'
      ? `/space/${message.spaceId}`
      : 'place' in message
        ? `/${message.place.type}/${message.place.id}`
        : `/space/${message.spaceId}/plan`;

const idsIn = (message: OutboxMessage): string[] =>
  'place' in message
    ? [message.actorId, message.place.id]
    : message.type === 'spaceTakenOver'
      ? [message.actorId, message.spaceId]
      : ['baseId' in message ? message.baseId : message.spaceId];

export const notify = async (tx: Queryable, { config, newId }: Services, message: OutboxMessage): Promise<void> => {
  const names = await selectNames(tx, [...new Set(idsIn(message))]);
  const text = outboxText(message, (id) => names.get(id) ?? 'someone');
  const made = (await recipientsOf(tx, message)).map(
    (userId): NewNotification => ({
      id: newId('not'),
      userId,
      type: 'system',
      message: text,
      path: pathOf(message),
      actorId: 'actorId' in message ? message.actorId : null,
      source: null,
    }),
  );
  await insertNotifications(tx, made, config.smtpUrl !== null);
};
