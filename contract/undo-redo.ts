// Undo and redo of what a person did in one window.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { besides, RestoreConflict } from './history.ts';

const params = Type.Object({ tableId: Type.String() });
const headers = Type.Object({
  'x-window-id': Type.Optional(
    Type.String({ description: 'Names the window. Changes that were sent with it can be undone with it' }),
  ),
});

const name = Type.String({
  maxLength: 50,
  description: 'The name of a step: what the requests of it were sent with in `X-Window-Step`',
});
const body = Type.Object({
  step: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'This step instead of the last, by the name that its requests were sent with in `X-Window-Step`',
    }),
  ),
  skip: Type.Optional(Type.Array(name, { maxItems: 200, description: 'Not these steps: the one before them' })),
  force: Type.Optional(
    Type.Boolean({
      description: 'Also where somebody else has changed a cell since. What cannot be restored is listed in `skipped`',
    }),
  ),
});

export const UndoneChange = Type.Object({
  kind: Type.Enum(['cells', 'recordsRestored', 'recordsDeleted', 'order', 'schema'], {
    description:
      'What was done to undo it: cells written, records restored or deleted, records moved back, fields or views changed',
  }),
  count: Type.Integer({ description: 'How many cells or records' }),
  recordIds: Type.Optional(Type.Array(Type.String(), { description: 'Whose cells were written' })),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'The names of the fields that changed' })),
  views: Type.Optional(Type.Array(Type.String(), { description: 'The names of the views that changed' })),
});
export type UndoneChange = Static<typeof UndoneChange>;

export const UndoResult = Type.Object({
  status: Type.Enum(['fulfilled', 'failed', 'empty'], {
    description:
      '`empty`: there is nothing to undo. `failed`: it was not undone, `errorMessage` says why, and the step stays',
  }),
  errorMessage: Type.Optional(Type.String()),
  step: Type.Optional(name),
  changes: Type.Optional(Type.Array(UndoneChange)),
  conflicts: Type.Optional(
    Type.Array(RestoreConflict, { description: 'What stands in the way, when it `failed` because of that' }),
  ),
  total: Type.Optional(Type.Integer({ description: 'How many conflicts there are, when not all are listed' })),
  skipped: Type.Optional(Type.Array(RestoreConflict)),
  ...besides,
});
export type UndoResult = Static<typeof UndoResult>;

const about =
  'Changes of records, fields and views that were sent with the header `X-Window-Id` are the steps of that window: for 24 hours. Requests with the same `X-Window-Step` (letters, digits, `_` and `-`, up to 50) are one step. A new change ends what could be done again. What somebody else has changed since is not overwritten: the status is `failed` then, unless `force` is true. Records that a step made in other tables, and choices that it added, go with it; those that somebody has used since stay, and are listed in `left`.';

export const undo = endpoint({
  name: 'undo',
  method: 'POST',
  path: '/table/:tableId/undo-redo/undo',
  summary: 'Undo the last change of a window',
  description: about,
  tag: 'History',
  access: { on: 'table', action: 'table|read' },
  params,
  headers,
  body,
  bodyOptional: true,
  isStep: false,
  status: 201,
  response: UndoResult,
});

export const redo = endpoint({
  name: 'redo',
  method: 'POST',
  path: '/table/:tableId/undo-redo/redo',
  summary: 'Do again what was undone last in a window',
  description: about,
  tag: 'History',
  access: { on: 'table', action: 'table|read' },
  params,
  headers,
  body,
  bodyOptional: true,
  isStep: false,
  status: 201,
  response: UndoResult,
});
