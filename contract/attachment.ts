// Files: how they get in, and how they are read. A cell of an attachment field names uploaded files by their tokens.
import { type Static, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { RecordVo } from './record.ts';

/** What a file is for, with the numbers that Teable has for it. */
/** What a file is announced for, by the numbers that clients for Teable send. Where it may be used is decided when it is used. */
export const fileTypes = {
  table: 1,
  avatar: 2,
  form: 3,
  oauth: 4,
  import: 5,
  plugin: 6,
  comment: 7,
  logo: 8,
  exportBase: 9,
  template: 10,
  chatChart: 11,
  app: 12,
  chat: 13,
  automation: 14,
} as const;

export const Attachment = Type.Object({
  id: Type.String({ description: 'Of this mention of the file: `act…`.' }),
  name: Type.String(),
  token: Type.String({ description: 'Of the file. Several cells may mention the same one.' }),
  path: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  mimetype: Type.String(),
  width: Type.Optional(Type.Integer({ description: 'Of an image, in pixels.' })),
  height: Type.Optional(Type.Integer()),
  presignedUrl: Type.Optional(
    Type.String({
      description: 'Where the file can be read without a login. The same for some days, then it expires.',
    }),
  ),
  smThumbnailUrl: Type.Optional(Type.String({ description: 'Of an image: a small one, 56 pixels high.' })),
  lgThumbnailUrl: Type.Optional(Type.String({ description: 'Of an image: one of at most 525 pixels height.' })),
});
export type Attachment = Static<typeof Attachment>;

const tag = 'attachment';
const token = Type.String({ maxLength: 100, description: 'What `signature` gave.' });

export const createFileSignature = endpoint({
  name: 'createFileSignature',
  method: 'POST',
  path: '/attachments/signature',
  summary: 'Ask where to upload a file',
  description:
    'The first of four steps: signature, upload, notify, and writing the answer of notify, with a `name`, into a cell. With `baseId` a file that is too large for what is left of the plan of its space is refused with 402 before anything is sent. Room is not kept: bytes count when they arrive, and an upload ends with 402 when there is no room left, or with 429 when too much waits outside of records. A file that no cell mentions an hour later is removed.',
  tag,
  access: { on: 'user' },
  body: Type.Object({
    contentType: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Type of the file. The upload has to name the same.',
    }),
    contentLength: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Size of the file in bytes. The upload has to have it.',
    }),
    type: Type.Enum(Object.values(fileTypes), {
      description:
        'What it is for: 1 a cell, 5 an import, 7 a comment; the others as in Teable. Only a comment needs another right than a cell.',
    }),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'Seconds within which the upload has to begin; a day unless it is less.',
      }),
    ),
    hash: Type.Optional(Type.String({ maxLength: 200, description: 'Taken from clients that send it, and not used.' })),
    baseId: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The base whose cells will mention it. Needs `record|read` there, and `record|create` or `record|update`; for a comment `record|comment`.',
      }),
    ),
  }),
  status: 201,
  response: Type.Object({
    url: Type.String({ description: 'Where to send the bytes.' }),
    uploadMethod: Type.Literal('PUT'),
    token: Type.String(),
    path: Type.String(),
    requestHeaders: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
      description: 'Headers that the upload has to have.',
    }),
  }),
});

const upload = {
  tag,
  access: { on: 'public' },
  params: Type.Object({ token }),
  body: stream('*/*', { maxBytes: Number.MAX_SAFE_INTEGER }),
  bodyOptional: true,
} as const;

export const uploadFile = endpoint({
  ...upload,
  name: 'uploadFile',
  method: 'PUT',
  path: '/attachments/upload/:token',
  summary: 'Upload a file',
  description: 'The bytes as they are. Nobody has to be signed in: the token is the permission.',
  status: 200,
});

export const uploadFileByPost = endpoint({
  ...upload,
  name: 'uploadFileByPost',
  method: 'POST',
  path: '/attachments/upload/:token',
  summary: 'Upload a file, for clients that cannot PUT',
  status: 201,
});

export const notifyFile = endpoint({
  name: 'notifyFile',
  method: 'POST',
  path: '/attachments/notify/:token',
  summary: 'Tell that a file was uploaded',
  description:
    'Answers what a cell needs. The person who announced the file calls it first; afterwards everyone who may read records in a base that uses the file can call it again.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ token }),
  query: Type.Object({
    filename: Type.Optional(Type.String({ maxLength: 1_000, description: 'Its name when it is downloaded.' })),
  }),
  status: 201,
  response: Type.Object({
    token: Type.String(),
    size: Type.Integer(),
    mimetype: Type.String(),
    path: Type.String(),
    url: Type.String({ description: 'The path of `presignedUrl`.' }),
    presignedUrl: Type.String(),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
  }),
});

export const readAttachment = endpoint({
  name: 'readAttachment',
  method: 'GET',
  path: '/attachments/read/:bucket/:folder/:file',
  summary: 'Read a file',
  description:
    'For addresses that the server made: `presignedUrl` of an attachment. Knows `Range`, `If-Range` and `If-None-Match`.',
  tag,
  access: { on: 'public' },
  params: Type.Object({
    bucket: Type.String({ maxLength: 50 }),
    folder: Type.String({ maxLength: 50 }),
    file: Type.String({ maxLength: 100 }),
  }),
  query: Type.Object({
    token: Type.Optional(Type.String({ maxLength: 200, description: 'The signature.' })),
    size: Type.Optional(Type.Enum(['sm', 'lg'], { description: 'A thumbnail of an image.' })),
    'response-content-disposition': Type.Optional(
      Type.String({
        maxLength: 4_000,
        description: '`attachment` to have it saved instead of shown, with a file name if wished.',
      }),
    ),
  }),
  status: 200,
  response: stream('application/octet-stream'),
});

export const uploadAttachment = endpoint({
  name: 'uploadAttachment',
  method: 'POST',
  path: '/table/:tableId/record/:recordId/:fieldId/uploadAttachment',
  summary: 'Add a file to a cell',
  description:
    'A form with a part `file`, or with a part `fileUrl`: then the server fetches it, from public addresses only. The answer is the record by field ids.',
  tag,
  access: { on: 'table', action: 'record|update' },
  params: Type.Object({
    tableId: Type.String({ maxLength: 100 }),
    recordId: Type.String({ maxLength: 100 }),
    fieldId: Type.String({ maxLength: 100 }),
  }),
  body: stream('multipart/form-data', { maxBytes: Number.MAX_SAFE_INTEGER }),
  status: 201,
  response: RecordVo,
});

export const insertAttachments = endpoint({
  name: 'insertAttachments',
  method: 'POST',
  path: '/table/:tableId/record/:recordId/:fieldId/insertAttachment',
  summary: 'Add uploaded files to a cell, at a place',
  description: 'What others add to the same cell meanwhile stays. The answer is the record by field ids.',
  tag,
  access: { on: 'table', action: 'record|update' },
  params: Type.Object({
    tableId: Type.String({ maxLength: 100 }),
    recordId: Type.String({ maxLength: 100 }),
    fieldId: Type.String({ maxLength: 100 }),
  }),
  body: Type.Object({
    attachments: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: 1_000,
      description: 'As in a cell: `{"token": "att…", "name": "photo.png"}`.',
    }),
    anchorId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The id of a file of the cell, which they follow; behind all others when absent.',
      }),
    ),
  }),
  status: 201,
  response: RecordVo,
});

export const signAttachments = endpoint({
  name: 'signAttachments',
  method: 'POST',
  path: '/base/:baseId/sign-attachment-urls',
  summary: 'Addresses of files that cells of a base hold',
  description:
    'For programs that have cells without addresses, such as from SQL. Files that you do not see in the base are left out.',
  tag,
  access: { on: 'base', action: 'record|read' },
  params: Type.Object({ baseId: Type.String({ maxLength: 100, description: 'Id of the base.' }) }),
  body: Type.Object({
    attachments: Type.Array(
      Type.Object({
        token: Type.String({ maxLength: 100, description: 'Of the file, as in the cell.' }),
        path: Type.Optional(
          Type.String({ maxLength: 300, description: 'Taken from clients that send it, and not used.' }),
        ),
        mimetype: Type.Optional(
          Type.String({ maxLength: 300, description: 'Taken from clients that send it, and not used.' }),
        ),
      }),
      { maxItems: 1_000 },
    ),
  }),
  status: 200,
  response: Type.Object({
    attachments: Type.Array(
      Type.Object({
        token: Type.String(),
        url: Type.String({ description: 'Where the file can be read without a login, until it expires.' }),
      }),
    ),
  }),
});

export const downloadAttachments = endpoint({
  name: 'downloadAttachments',
  method: 'GET',
  path: '/table/:tableId/record/:recordId/:fieldId/downloadAttachments',
  summary: 'All files of a cell as one zip archive',
  description: 'It is made while it is sent. Of files with the same name the later ones get a number. At most 4 GB.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({
    tableId: Type.String({ maxLength: 100 }),
    recordId: Type.String({ maxLength: 100 }),
    fieldId: Type.String({ maxLength: 100 }),
  }),
  status: 200,
  response: stream('application/zip'),
});
