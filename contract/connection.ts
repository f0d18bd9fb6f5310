// SQL access to a base: a PostgreSQL role that can read its tables and nothing else.
import { type Static, Type } from 'typebox';
import { baseParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';

const connection = Type.Object({
  dsn: Type.Object({
    driver: Type.Literal('postgresql'),
    host: Type.String(),
    port: Type.Integer(),
    db: Type.String(),
    user: Type.String(),
    pass: Type.Optional(Type.String({ description: 'Told once, when the connection is made.' })),
  }),
  connection: Type.Object({
    max: Type.Integer({ description: 'Connections at the same time.' }),
    current: Type.Integer(),
  }),
  url: Type.String({ description: 'The same as one text, for tools that want that.' }),
});
export type ConnectionView = Static<typeof connection>;

const access = { on: 'base', action: 'base|db_connection' } as const;

export const createDbConnection = endpoint({
  name: 'createDbConnection',
  method: 'POST',
  path: '/base/:baseId/connection',
  summary: 'Open a base for reading by SQL',
  description: 'For owners of the space. When it is open already, it gets a new password, and the old one ends.',
  tag: 'connection',
  access,
  params: baseParams,
  status: 201,
  response: connection,
});

export const getDbConnection = endpoint({
  name: 'getDbConnection',
  method: 'GET',
  path: '/base/:baseId/connection',
  summary: 'Get the SQL access of a base, without its password',
  tag: 'connection',
  access,
  params: baseParams,
  status: 200,
  response: Type.Union([connection, Type.Null()], { description: 'Null: it is not open.' }),
});

export const deleteDbConnection = endpoint({
  name: 'deleteDbConnection',
  method: 'DELETE',
  path: '/base/:baseId/connection',
  summary: 'Close a base for reading by SQL',
  tag: 'connection',
  access,
  params: baseParams,
  status: 200,
});
