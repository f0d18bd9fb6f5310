// Changes as they happen, as Server-Sent Events. The schemas of the events stand here for anyone who listens.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Notification } from './notification.ts';

const tag = 'event';

const headers = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      description:
        'The id of the last event that was heard: everything since then follows, without gap or repeat. After more than 15 minutes a `reload` comes instead.',
    }),
  ),
});

const lastEventId = Type.Optional(
  Type.String({ maxLength: 30, description: 'The same as the header, for clients that cannot set one.' }),
);

const change = {
  tableId: Type.String(),
  operationId: Type.String({ description: 'As in the header `x-operation-id` of the write.' }),
  by: Type.String({ description: 'User id; empty when it came along with another change.' }),
  time: Type.String({ description: 'ISO 8601, UTC' }),
};

const recordIds = Type.Array(Type.String());
const valuesOmitted = Type.Optional(
  Type.Boolean({ description: 'The values were asked for but are too large for an event: read the records.' }),
);
const Fields = Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Field id → cell value' });

/** `records.created`. The values are those of the moment of sending: a record that is gone by then is not among `records`. */
export const RecordsCreated = Type.Object({
  ...change,
  recordIds,
  records: Type.Optional(Type.Array(Type.Object({ id: Type.String(), fields: Fields }))),
  valuesOmitted,
});

/**
 * `records.updated`. The values are exactly what this change wrote; null for a cell that it emptied. With `cause` nobody
 * wrote these records: their values follow from a change elsewhere, and are those of the moment of sending.
 */
export const RecordsUpdated = Type.Object({
  ...change,
  recordIds,
  fieldIds: Type.Array(Type.String(), {
    description: 'Fields of which any cell changed; none when only the order changed.',
  }),
  records: Type.Optional(Type.Array(Type.Object({ id: Type.String(), fields: Fields }))),
  valuesOmitted,
  cause: Type.Optional(
    Type.String({
      description:
        'The operation that this change follows from, perhaps in another table, as by a link; the last one when there are several.',
    }),
  ),
  causes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'All operations that this change follows from, when several were written together.',
    }),
  ),
  recordsOmitted: Type.Optional(
    Type.Boolean({
      description:
        'Not all records that changed are named, because there are more than 1,000 or because you do not see them: read the table again.',
    }),
  ),
});

/** `records.deleted` */
export const RecordsDeleted = Type.Object({ ...change, recordIds });

/** `comments.changed`: comments on these records were written, changed, deleted or reacted to. */
export const CommentsChanged = Type.Object({ ...change, recordIds });

/** `schema.changed`: fields, or the table itself; cells may be converted, so read the table again. `view.changed`: views. */
export const SchemaChanged = Type.Object(change);

/** `tables.changed`: a table or folder of the base was made, renamed, moved, deleted or restored: list them again. */
const TablesChanged = Type.Object({
  baseId: Type.String(),
  operationId: change.operationId,
  by: change.by,
  time: change.time,
});

/** `dashboards.changed`: a dashboard of the base, or something on it, was made, changed, moved, deleted or restored: read it again. */
const DashboardsChanged = Type.Object({
  baseId: Type.String(),
  dashboardId: Type.String(),
  operationId: change.operationId,
  by: change.by,
  time: change.time,
});

/** `tables.touched`: records, fields or views of these tables changed: what counts them may be something else. */
const TablesTouched = Type.Object({ baseId: Type.String(), tableIds: Type.Array(Type.String()) });

/** `presence.changed`: everyone who has the table open, at the beginning and whenever that changes. Oneself is among them. */
export const PresenceChanged = Type.Object({
  tableId: Type.String(),
  users: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), avatar: Type.Union([Type.String(), Type.Null()]) }),
    { description: 'By name.' },
  ),
});

const cellId = (what: string) =>
  Type.Union([Type.String({ maxLength: 50, pattern: '^[A-Za-z0-9]+$' }), Type.Null()], {
    description: `Id of the ${what}; null when they have left the cell.`,
  });

/** `presence.cell`: somebody else is in another cell. It is told as it happens and not kept: who comes later hears the next one. */
export const PresenceCell = Type.Object({
  tableId: Type.String(),
  userId: Type.String(),
  recordId: cellId('record'),
  fieldId: cellId('field'),
});

/** `notification.created` */
export const NotificationCreated = Type.Object({ notification: Notification, unreadCount: Type.Integer() });

/** `notification.unread`: the count, at the beginning and whenever it changes. */
export const UnreadChanged = Type.Object({ unreadCount: Type.Integer() });

export const eventSchemas = {
  'records.created': RecordsCreated,
  'records.updated': RecordsUpdated,
  'records.deleted': RecordsDeleted,
  'comments.changed': CommentsChanged,
  'schema.changed': SchemaChanged,
  'view.changed': SchemaChanged,
  'tables.changed': TablesChanged,
  'tables.touched': TablesTouched,
  'dashboards.changed': DashboardsChanged,
  'presence.changed': PresenceChanged,
  'presence.cell': PresenceCell,
  'notification.created': NotificationCreated,
  'notification.unread': UnreadChanged,
  /** The stream begins. Everything that is committed after the headers of the answer follows; what was before is not told again. */
  ready: Type.Object({}),
  /** Too much was missed: read everything again. What follows begins here. */
  reload: Type.Object({}),
  /** The credential has ended, or no longer allows this: the stream is over. */
  end: Type.Object({ reason: Type.String() }),
} as const;

export type EventName = keyof typeof eventSchemas;
export type EventData<Name extends EventName> = Static<(typeof eventSchemas)[Name]>;

const names =
  'The first event is `ready` (or `reload`); a comment comes every 15 seconds. A listener that reads too slowly is cut off and can come back with `Last-Event-ID`.';

export const listenToTable = endpoint({
  name: 'listenToTable',
  method: 'GET',
  path: '/table/:tableId/events',
  summary: 'Listen to the changes of a table',
  description: `Server-Sent Events: \`records.created\`, \`records.updated\`, \`records.deleted\`, \`comments.changed\`, \`schema.changed\`, \`view.changed\`, \`tables.changed\`, in the order in which they happened; with \`presence\` also \`presence.changed\` and \`presence.cell\`. ${names}`,
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ tableId: Type.String() }),
  query: Type.Object({
    values: Type.Optional(
      Type.Boolean({ description: 'Also send the values of created and changed cells, by field id.' }),
    ),
    presence: Type.Optional(
      Type.Boolean({
        description: 'Be shown among those who have the table open while the stream lasts, and hear who else has.',
      }),
    ),
    viewAs: Type.Optional(
      Type.String({ description: 'In place of the header `X-View-As`, which an EventSource cannot send.' }),
    ),
    baseShare: Type.Optional(
      Type.String({ description: 'In place of the header `X-Tea-Base-Share`, which an EventSource cannot send.' }),
    ),
    lastEventId,
  }),
  headers,
  status: 200,
  produces: 'text/event-stream',
  response: Type.String(),
});

export const listenToBase = endpoint({
  name: 'listenToBase',
  method: 'GET',
  path: '/base/:baseId/events',
  summary: 'Listen to the changes of a base',
  description: `Server-Sent Events: \`tables.touched\`, \`tables.changed\`, \`dashboards.changed\`; of tables that the caller sees. ${names}`,
  tag,
  access: { on: 'base', action: 'base|read' },
  params: Type.Object({ baseId: Type.String() }),
  query: Type.Object({ lastEventId }),
  headers,
  status: 200,
  produces: 'text/event-stream',
  response: Type.String(),
});

export const showCell = endpoint({
  name: 'showCell',
  method: 'PUT',
  path: '/table/:tableId/presence',
  summary: 'Say which cell you are in',
  description:
    'The others who have the table open hear it as `presence.cell`, if they see the whole table. Nothing is stored.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ tableId: Type.String() }),
  body: Type.Object({ recordId: cellId('record'), fieldId: cellId('field') }),
  status: 200,
});

export const listenToNotifications = endpoint({
  name: 'listenToNotifications',
  method: 'GET',
  path: '/notifications/events',
  summary: 'Listen to the own notifications',
  description: `Server-Sent Events: \`notification.created\`, \`notification.unread\`. ${names} Not for tokens of applications.`,
  tag,
  access: { on: 'user', everywhere: true },
  query: Type.Object({ lastEventId }),
  headers,
  status: 200,
  produces: 'text/event-stream',
  response: Type.String(),
});
