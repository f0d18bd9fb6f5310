// What people pin: spaces, bases, tables and views that they want at hand. Nobody else sees it.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { ViewType } from './view.ts';

export const PinType = Type.Enum(['space', 'base', 'table', 'view']);
export type PinType = Static<typeof PinType>;

const id = Type.String({ maxLength: 100, description: 'Id of the space, base, table or view.' });
const target = { type: PinType, id };
const tag = 'user';
const access = { on: 'user', own: true, everywhere: true } as const;

export const Pin = Type.Object({
  ...target,
  order: Type.Number(),
  name: Type.String(),
  icon: Type.Optional(Type.String()),
  parentBaseId: Type.Optional(Type.String({ description: 'Of a table or view.' })),
  viewMeta: Type.Optional(Type.Object({ tableId: Type.String(), type: ViewType })),
});
export type Pin = Static<typeof Pin>;

export const createPin = endpoint({
  name: 'createPin',
  method: 'POST',
  path: '/pin',
  summary: 'Pin something',
  description: 'At the end of your pins. What is pinned already is refused with 400.',
  tag,
  access,
  body: Type.Object(target),
  status: 201,
});

export const deletePin = endpoint({
  name: 'deletePin',
  method: 'DELETE',
  path: '/pin',
  summary: 'Take a pin away',
  tag,
  access,
  query: Type.Object(target),
  status: 200,
});

export const listPins = endpoint({
  name: 'listPins',
  method: 'GET',
  path: '/pin/list',
  summary: 'List your pins',
  description: 'In your order. What you have no access to any more, or what is in the trash, is left out.',
  tag,
  access,
  status: 200,
  response: Type.Array(Pin),
});

export const movePin = endpoint({
  name: 'movePin',
  method: 'PUT',
  path: '/pin/order',
  summary: 'Move a pin before or after another',
  tag,
  access,
  body: Type.Object({ ...target, anchorId: id, anchorType: PinType, position: Type.Enum(['before', 'after']) }),
  status: 200,
});
