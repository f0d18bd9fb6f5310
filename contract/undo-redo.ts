// Undo and redo of what a person did in one window.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const params = Type.Object({ tableId: Type.String() });
const headers = Type.Object({ 'x-window-id': Type.Optional(Type.String({ description: 'Names the window. Changes that were sent with it can be undone with it' })) });

export const UndoResult = Type.Object({
  status: Type.Enum(['fulfilled', 'failed', 'empty'], { description: '`empty`: there is nothing to undo. `failed`: it was not undone, `errorMessage` says why, and the step stays' }),
  errorMessage: Type.Optional(Type.String()),
});
export type UndoResult = Static<typeof UndoResult>;

const about =
  'Changes of records, fields and views that were sent with the header `X-Window-Id` are the steps of that window: the last 200 of each table, for 24 hours. A new change ends what could be done again. What somebody else has changed since is not overwritten: the status is `failed` then.';

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
  isStep: false,
  status: 201,
  response: UndoResult,
});
