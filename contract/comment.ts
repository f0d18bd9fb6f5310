// Comments on a record, with mentions, quotes, images and reactions.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { listRecords } from './record.ts';

const tag = 'comment';

const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofTable = Type.Object({ tableId: id('table') });
const ofRecord = Type.Object({ tableId: id('table'), recordId: id('record') });
const ofComment = Type.Object({ tableId: id('table'), recordId: id('record'), commentId: id('comment') });

/** In the order in which they are offered. */
export const reactions = ['👍', '👎', '😄', '❤️', '👀', '🚀', '🎉'] as const;

const Span = Type.Object({ type: Type.Literal('span'), value: Type.String({ maxLength: 50_000 }) });
const Mention = Type.Object({
  type: Type.Literal('mention'),
  value: Type.String({
    maxLength: 50,
    description: 'Id of a person who has a role here, of a field of the table, or of one of its records.',
  }),
  name: Type.Optional(
    Type.String({ description: 'In answers: the name it has now. Absent when there is none to see.' }),
  ),
  avatar: Type.Optional(Type.String({ description: 'In answers: of a person.' })),
});
const Link = Type.Object({
  type: Type.Literal('a'),
  url: Type.String({ maxLength: 10_000, description: 'http, https, mailto or tel.' }),
  title: Type.String({ maxLength: 10_000 }),
});

export const CommentBlock = Type.Union([
  Type.Object({
    type: Type.Literal('p'),
    children: Type.Array(Type.Union([Span, Mention, Link]), { maxItems: 1_000 }),
  }),
  Type.Object({
    type: Type.Literal('img'),
    path: Type.String({ maxLength: 500, description: 'As `POST /attachments/notify/{token}` answered it.' }),
    width: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000, description: 'To show it with, in pixels.' })),
    url: Type.Optional(Type.String({ description: 'In answers: where to read the image, signed.' })),
  }),
]);
export type CommentBlock = Static<typeof CommentBlock>;
export type CommentInline = Extract<CommentBlock, { type: 'p' }>['children'][number];

const Content = Type.Array(CommentBlock, {
  minItems: 1,
  maxItems: 500,
  description: 'Paragraphs of text, mentions and links, and images. At most 100,000 bytes as JSON.',
});

/** Clients send along what answers added: names, pictures, addresses of images. */
const largestComment = 1_000_000;

const Person = Type.Object({ id: Type.String(), name: Type.String(), avatar: Type.Optional(Type.String()) });
export type CommentPerson = Static<typeof Person>;

export const Comment = Type.Object({
  id: Type.String(),
  content: Type.Array(CommentBlock),
  createdBy: Person,
  createdTime: Type.String({ description: 'ISO 8601, UTC' }),
  lastModifiedTime: Type.Optional(Type.String({ description: 'When its author last changed it.' })),
  quoteId: Type.Optional(Type.String({ description: 'The comment that it answers, which may be gone.' })),
  reaction: Type.Union([Type.Array(Type.Object({ reaction: Type.String(), user: Type.Array(Person) })), Type.Null()], {
    description: 'Who reacted with what, oldest first.',
  }),
});
export type Comment = Static<typeof Comment>;

export const createComment = endpoint({
  name: 'createComment',
  method: 'POST',
  path: '/comment/:tableId/:recordId/create',
  summary: 'Comment on a record',
  description:
    'People who are mentioned or quoted, and those who subscribed to the comments of the record, are notified.',
  tag,
  access: { on: 'table', action: 'record|comment' },
  params: ofRecord,
  maxBodyBytes: largestComment,
  body: Type.Object({
    content: Content,
    quoteId: Type.Optional(
      Type.Union([Type.String({ maxLength: 50 }), Type.Null()], { description: 'A comment on the same record.' }),
    ),
  }),
  isStep: false,
  status: 201,
  response: Comment,
});

export const listComments = endpoint({
  name: 'listComments',
  method: 'GET',
  path: '/comment/:tableId/:recordId/list',
  summary: 'List the comments on a record',
  description: 'Oldest first within a page. Without a cursor the page holds the newest comments.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofRecord,
  query: Type.Object({
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many; 20 when absent' })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 50,
        description: 'Id of a comment: where the page ends (`forward`) or begins (`backward`).',
      }),
    ),
    includeCursor: Type.Optional(
      Type.Boolean({ description: 'False: the page does not hold the comment of the cursor.' }),
    ),
    direction: Type.Optional(
      Type.Enum(['forward', 'backward'], {
        description: '`forward`, towards older comments, when absent; `backward`: towards newer ones.',
      }),
    ),
  }),
  status: 200,
  response: Type.Object({
    comments: Type.Array(Comment),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The first comment beyond the page in its direction; null when there is none.',
    }),
  }),
});

export const getComment = endpoint({
  name: 'getComment',
  method: 'GET',
  path: '/comment/:tableId/:recordId/:commentId',
  summary: 'Get a comment',
  description: 'The body is empty when there is no such comment.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofComment,
  status: 200,
  response: Comment,
  mayBeEmpty: true,
});

export const updateComment = endpoint({
  name: 'updateComment',
  method: 'PATCH',
  path: '/comment/:tableId/:recordId/:commentId',
  summary: 'Change a comment',
  description: 'Only its author may. People whom it did not mention before are notified.',
  tag,
  access: { on: 'table', action: 'record|comment' },
  params: ofComment,
  maxBodyBytes: largestComment,
  body: Type.Object({ content: Content }),
  isStep: false,
  status: 200,
});

export const deleteComment = endpoint({
  name: 'deleteComment',
  method: 'DELETE',
  path: '/comment/:tableId/:recordId/:commentId',
  summary: 'Delete a comment',
  description: 'Its author may, and those who may change the table (`table|update`): that is then in the audit log.',
  tag,
  access: { on: 'table', action: 'record|comment' },
  params: ofComment,
  isStep: false,
  status: 200,
});

const Reaction = Type.Object({ reaction: Type.Enum([...reactions]) });

export const createReaction = endpoint({
  name: 'createReaction',
  method: 'PATCH',
  path: '/comment/:tableId/:recordId/:commentId/reaction',
  summary: 'React to a comment',
  tag,
  access: { on: 'table', action: 'record|comment' },
  params: ofComment,
  body: Reaction,
  isStep: false,
  status: 200,
});

export const deleteReaction = endpoint({
  name: 'deleteReaction',
  method: 'DELETE',
  path: '/comment/:tableId/:recordId/:commentId/reaction',
  summary: 'Take a reaction back',
  tag,
  access: { on: 'table', action: 'record|comment' },
  params: ofComment,
  body: Reaction,
  isStep: false,
  status: 200,
});

export const countComments = endpoint({
  name: 'countComments',
  method: 'GET',
  path: '/comment/:tableId/:recordId/count',
  summary: 'Count the comments on a record',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofRecord,
  status: 200,
  response: Type.Object({ count: Type.Integer({ minimum: 0 }) }),
});

export const countCommentsByQuery = endpoint({
  name: 'countCommentsByQuery',
  method: 'GET',
  path: '/comment/:tableId/count',
  summary: 'Count the comments on each record of a list',
  description:
    'For the records that `GET /table/{tableId}/record` answers to the same query; only those that have comments.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofTable,
  query: listRecords.query,
  status: 200,
  response: Type.Array(Type.Object({ recordId: Type.String(), count: Type.Integer({ minimum: 1 }) })),
});

const Subscription = Type.Object({
  tableId: Type.String(),
  recordId: Type.String(),
  createdBy: Type.String({ description: 'User id' }),
});

export const getSubscription = endpoint({
  name: 'getCommentSubscription',
  method: 'GET',
  path: '/comment/:tableId/:recordId/subscribe',
  summary: 'Whether the caller follows the comments on a record',
  description: 'The body is empty when not.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofRecord,
  status: 200,
  response: Subscription,
  mayBeEmpty: true,
});

export const createSubscription = endpoint({
  name: 'createCommentSubscription',
  method: 'POST',
  path: '/comment/:tableId/:recordId/subscribe',
  summary: 'Be notified of comments on a record',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofRecord,
  status: 201,
  response: Subscription,
});

export const deleteSubscription = endpoint({
  name: 'deleteCommentSubscription',
  method: 'DELETE',
  path: '/comment/:tableId/:recordId/subscribe',
  summary: 'No longer be notified of comments on a record',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofRecord,
  status: 200,
});

export const getCommentAttachment = endpoint({
  name: 'getCommentAttachment',
  method: 'GET',
  path: '/comment/:tableId/:recordId/attachment/:path',
  summary: 'Where an image of a comment is read',
  description: 'A signed address, as plain text. The image has to be in a comment on this record.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({
    tableId: id('table'),
    recordId: id('record'),
    path: Type.String({ maxLength: 500, description: '`path` of the image, URL-encoded.' }),
  }),
  status: 200,
  produces: 'text/plain',
  response: Type.String(),
});
