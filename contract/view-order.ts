// The order of the records in a view, arranged by hand.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Position, Sort, View } from './view.ts';

const params = Type.Object({
  tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }),
  viewId: Type.String({ maxLength: 100, description: 'Id of the view.' }),
});
const access = { on: 'table', action: 'view|update' } as const;

export const moveRecords = endpoint({
  name: 'moveRecords',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/record-order',
  summary: 'Move records before or after another',
  description: 'They stand next to the anchor in the order of the request. It shows while the view is not sorted.',
  tag: 'view',
  access,
  params,
  body: Type.Object({
    ...Position.properties,
    recordIds: Type.Array(Type.String({ maxLength: 50 }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'The records to move.',
    }),
  }),
  status: 200,
});

export const sortManually = endpoint({
  name: 'sortManually',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/manual-sort',
  summary: 'Sort a view once',
  description: 'The records get the positions that the sort gives them now, and stay there when their cells change.',
  tag: 'view',
  access,
  params,
  body: Type.Object({ sortObjs: Sort.properties.sortObjs }),
  status: 200,
});

export const duplicateView = endpoint({
  name: 'duplicateView',
  method: 'POST',
  path: '/table/:tableId/view/:viewId/duplicate',
  summary: 'Duplicate a view',
  description:
    'With its filter, sort, groups, columns, options and the order that its records were given by hand. The copy is neither locked nor shared.',
  tag: 'view',
  access: { on: 'table', action: 'view|create' },
  params,
  status: 201,
  response: View,
});
