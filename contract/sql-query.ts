// A query in SQL over the API, for a base that is open for SQL.
import { Type } from 'typebox';
import { baseParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

export const querySql = endpoint({
  name: 'querySql',
  method: 'POST',
  path: '/base/:baseId/sql-query',
  summary: 'Ask a base in SQL',
  description:
    'One `select`, as the reader of the base that an owner has opened with `POST /base/{baseId}/connection` (422 while it is not open): of tables by their `dbTableName`, in PostgreSQL. At most 1,000 rows, 10 MB and 10 seconds. For those who see all of the base; a token also needs `record|read` and `user|email_read`, because cells hold addresses.',
  tag: 'connection',
  access: { on: 'base', action: 'base|query_data' },
  params: baseParams,
  body: Type.Object({
    sql: text({ minLength: 1, maxLength: 100_000, description: '`select "Name" from "Projects"`' }),
  }),
  status: 200,
  response: Type.Object({
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    hasMore: Type.Boolean({ description: 'There were more rows than are answered.' }),
  }),
});
