// Short addresses of shared views and bases: `/s/{code}` leads on to the page of the share.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const tag = 'share';
const type = Type.Enum(['view-share', 'base-share']);

export const createShortLink = endpoint({
  name: 'createShortLink',
  method: 'POST',
  path: '/short-link',
  summary: 'Get a short address of a shared view or base',
  description:
    'For those who may share the view or the base. The same address each time. It leads on while that is shared under the same address, and ends with that.',
  tag,
  access: { on: 'user' },
  body: Type.Object({
    type,
    resourceId: Type.String({ maxLength: 50, description: 'Id of the share: `shr…`.' }),
  }),
  status: 201,
  response: Type.Object({
    code: Type.String(),
    path: Type.String({ description: 'Below the address of this server.' }),
  }),
});

export const getShortLink = endpoint({
  name: 'getShortLink',
  method: 'GET',
  path: '/short-link/:code',
  summary: 'Where a short address leads to',
  description: '404 when it leads nowhere, or no longer.',
  tag,
  access: { on: 'public' },
  params: Type.Object({ code: Type.String({ maxLength: 50 }) }),
  status: 200,
  response: Type.Object({
    type,
    resourceId: Type.String(),
    path: Type.String({ description: 'Of the page, below the address of this server.' }),
  }),
});
