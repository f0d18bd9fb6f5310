// The texts of notifications.
import type { OutboxMessage } from '../../catalog/outbox.ts';
import { plainName } from '../mail/plain-name.ts';
import type { NamedPerson } from '../record/write/notify.ts';

export type NotificationType = 'system' | 'collaboratorCellTag' | 'collaboratorMultiRowTag' | 'comment' | 'exportBase';

type NameOf = (id: string) => string;

const limitNames: Record<string, string> = {
  maxRows: 'records',
  maxSizeAttachments: 'bytes of attachments',
  maxNumDatabaseConnections: 'bases open for SQL',
  seats: 'seats',
};

const thousands = (number: number): string => number.toLocaleString('en-US');

export const namedText = (person: NamedPerson, actorName: string, tableName: string): string =>
  person.count === 1
    ? `${actorName} assigned you a record in ${tableName} (${person.fieldName})`
    : `${actorName} assigned you ${thousands(person.count)} records in ${tableName}`;

export type CommentReason = { why: 'mentioned' | 'quoted' | 'followed' } | { why: 'reacted'; reaction: string };

/** `recordName` is empty where the record has no title. */
export const commentText = (
  reason: CommentReason,
  actorName: string,
  recordName: string,
  tableName: string,
): string => {
  const where = `${recordName === '' ? 'a record' : recordName} in ${tableName}`;
  switch (reason.why) {
    case 'mentioned':
      return `${actorName} mentioned you in a comment on ${where}`;
    case 'quoted':
      return `${actorName} replied to your comment on ${where}`;
    case 'followed':
      return `${actorName} commented on ${where}`;
    case 'reacted':
      return `${actorName} reacted with ${reason.reaction} to your comment on ${where}`;
  }
};

export const outboxText = (message: OutboxMessage, nameOf: NameOf): string => {
  switch (message.type) {
    case 'invited':
      // Anyone can add anyone, so what they call themselves and the place must not be a message of its own.
      return `${plainName(nameOf(message.actorId)) || 'Someone'} added you to the ${message.place.type} ${plainName(nameOf(message.place.id))} as ${message.role}`;
    case 'roleChanged':
      return `${plainName(nameOf(message.actorId)) || 'Someone'} changed your role in the ${message.place.type} ${plainName(nameOf(message.place.id))} to ${message.role}`;
    case 'spaceTakenOver':
      return `${nameOf(message.actorId)}, an administrator of this server, is now an owner of the space ${nameOf(message.spaceId)}: ${message.reason}`;
    case 'limitReached':
      return `The space ${nameOf(message.spaceId)} has used ${message.percent} % of what its plan allows: ${thousands(message.used)} of ${thousands(message.allowed)} ${limitNames[message.limit] ?? message.limit}`;
    case 'webhookEnded':
      return `The webhook ${message.name} of the base ${nameOf(message.baseId)} is ${message.state}: ${message.reason}`;
    case 'automationEnded':
      return `The automation ${message.name} of the base ${nameOf(message.baseId)} no longer runs (${message.state}): ${message.reason}`;
    case 'subscriptionChanged':
      return `The subscription of the space ${nameOf(message.spaceId)} (${message.level}) is now ${message.status.replaceAll('_', ' ')}`;
  }
};

/** What is said of a message that names a record, to those who may not see it (any more). */
export const hiddenText = (type: NotificationType, actorName: string | null): string => {
  const who = actorName ?? 'Someone';
  if (type === 'comment') return `${who} wrote a comment for you`;
  return type === 'collaboratorMultiRowTag' ? `${who} assigned you several records` : `${who} assigned you a record`;
};

export const expiringText = (token: { name: string; expiredTime: string }): string =>
  `Your access token ${token.name} expires on ${token.expiredTime.slice(0, 10)} at ${token.expiredTime.slice(11, 16)} UTC`;

export const exportedText = (baseName: string): string => `The file of the base ${baseName} is ready to download`;
