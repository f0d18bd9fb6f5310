// What Teable's own app reads of a share beside its socket: which documents there are, and what is in them. A version is a matter
// of one connection to the socket, so the version of a document says nothing here and is always 1.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Field } from './field.ts';
import { GroupPoint, RecordVo } from './record.ts';
import { listShareRecords } from './share.ts';
import { View } from './view.ts';

const tag = 'share';
const access = { on: 'public' } as const;
const { params } = listShareRecords;

const Ids = Type.Object({ ids: Type.Array(Type.String()) });
const asked = {
  ids: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 1_000,
    description: 'Of the documents. 403 when the share does not show one of them',
  }),
};
const document = { id: Type.String(), v: Type.Literal(1), type: Type.Literal('json0') };

export const getShareViewDocIds = endpoint({
  name: 'getShareViewDocIds',
  method: 'GET',
  path: '/share/:shareId/socket/view/doc-ids',
  summary: 'The id of the view of a share',
  tag,
  access,
  params,
  status: 200,
  response: Ids,
});

export const getShareViewSnapshots = endpoint({
  name: 'getShareViewSnapshots',
  method: 'GET',
  path: '/share/:shareId/socket/view/snapshot-bulk',
  summary: 'The view of a share as a document',
  tag,
  access,
  params,
  query: Type.Object(asked),
  status: 200,
  response: Type.Array(Type.Object({ ...document, data: View })),
});

export const getShareFieldDocIds = endpoint({
  name: 'getShareFieldDocIds',
  method: 'GET',
  path: '/share/:shareId/socket/field/doc-ids',
  summary: 'The ids of the fields that a share shows',
  tag,
  access,
  params,
  status: 200,
  response: Ids,
});

export const getShareFieldSnapshots = endpoint({
  name: 'getShareFieldSnapshots',
  method: 'GET',
  path: '/share/:shareId/socket/field/snapshot-bulk',
  summary: 'Fields of a share as documents',
  tag,
  access,
  params,
  query: Type.Object(asked),
  status: 200,
  response: Type.Array(Type.Object({ ...document, data: Field })),
});

const { projection, cellFormat: _format, cursor: _cursor, ...listed } = listShareRecords.query.properties;

export const getShareRecordDocIds = endpoint({
  name: 'getShareRecordDocIds',
  method: 'GET',
  path: '/share/:shareId/socket/record/doc-ids',
  summary: 'The ids of records that a share shows',
  tag,
  access,
  params,
  query: Type.Object(listed),
  status: 200,
  response: Type.Object({
    ids: Type.Array(Type.String()),
    extra: Type.Object({ groupPoints: Type.Optional(Type.Array(GroupPoint)) }),
  }),
});

export const getShareRecordSnapshots = endpoint({
  name: 'getShareRecordSnapshots',
  method: 'GET',
  path: '/share/:shareId/socket/record/snapshot-bulk',
  summary: 'Records of a share as documents',
  description: 'In the order of `ids`. Empty when the share shows no records.',
  tag,
  access,
  params,
  query: Type.Object({ ...asked, projection }),
  status: 200,
  response: Type.Array(Type.Object({ ...document, data: RecordVo })),
});
