// Queries that are too long for an address are saved first.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

export const saveQuery = endpoint({
  name: 'saveQuery',
  method: 'POST',
  path: '/query-params',
  summary: 'Save the parameters of a query',
  description:
    'For queries that are too long for an address. Every endpoint below `/table/{tableId}` that takes a query takes `queryId` in place of what was saved; parameters beside it win. Only you can use it, for a day at least; the newest 100 are kept.',
  tag: 'Record',
  access: { on: 'user' },
  body: Type.Object({
    params: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'As they would stand in the address; lists and objects as JSON.',
      maxProperties: 100,
    }),
  }),
  status: 201,
  response: Type.Object({ queryId: Type.String({ description: '`qry…`' }) }),
});
