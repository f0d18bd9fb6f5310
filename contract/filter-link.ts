// Records that a filter names: what a client needs to show the filter to people.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const id = Type.String({ maxLength: 100 });
const response = Type.Array(
  Type.Object({
    tableId: Type.String(),
    records: Type.Array(Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) })),
  }),
  { description: 'One entry for each table that records are named of' },
);

export const listViewFilterRecords = endpoint({
  name: 'listViewFilterRecords',
  method: 'GET',
  path: '/table/:tableId/view/:viewId/filter-link-records',
  summary: 'Records that the filter of a view names, with their titles',
  tag: 'view',
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ tableId: id, viewId: id }),
  status: 200,
  response,
});

export const listFieldFilterRecords = endpoint({
  name: 'listFieldFilterRecords',
  method: 'GET',
  path: '/table/:tableId/field/:fieldId/filter-link-records',
  summary: 'Records that the filter of a link or lookup names, with their titles',
  tag: 'field',
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ tableId: id, fieldId: id }),
  status: 200,
  response,
});
