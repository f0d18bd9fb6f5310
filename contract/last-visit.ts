// Where somebody was last, so that the app opens there again, in any browser.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { roles } from './permission.ts';

export const VisitType = Type.Enum(['base', 'table', 'view']);
export type VisitType = Static<typeof VisitType>;

const id = Type.String({ maxLength: 100 });
const tag = 'user';
const access = { on: 'user', own: true, everywhere: true } as const;
const within = Type.Object({ resourceType: VisitType, parentResourceId: id });

export const LastVisit = Type.Object({
  resourceType: VisitType,
  resourceId: Type.String(),
  childResourceId: Type.Optional(Type.String()),
});
export type LastVisit = Static<typeof LastVisit>;

export const noteVisit = endpoint({
  name: 'noteVisit',
  method: 'POST',
  path: '/user/last-visit',
  summary: 'Say where you are',
  tag,
  access,
  body: Type.Object({
    resourceType: VisitType,
    resourceId: id,
    parentResourceId: Type.String({
      maxLength: 100,
      description: 'The space of a base, the base of a table, the table of a view.',
    }),
    childResourceId: Type.Optional(Type.String({ maxLength: 100, description: 'The view of a table.' })),
  }),
  status: 201,
});

export const getLastVisit = endpoint({
  name: 'getLastVisit',
  method: 'GET',
  path: '/user/last-visit',
  summary: 'Where you were last within something',
  description: 'The first table of a base, or view of a table, when you were in none; null when there is none.',
  tag,
  access,
  query: within,
  status: 200,
  response: Type.Union([LastVisit, Type.Null()]),
});

export const getLastVisitedNode = endpoint({
  name: 'getLastVisitedNode',
  method: 'GET',
  path: '/user/last-visit/base-node',
  summary: 'The table you opened last in a base',
  description: 'The first one when you were in none; null when there is none.',
  tag,
  access,
  query: Type.Object({ parentResourceId: Type.String({ maxLength: 100, description: 'Id of the base.' }) }),
  status: 200,
  response: Type.Union([LastVisit, Type.Null()]),
});

export const getLastVisitMap = endpoint({
  name: 'getLastVisitMap',
  method: 'GET',
  path: '/user/last-visit/map',
  summary: 'The view you looked at last, of every table of a base',
  tag,
  access,
  query: Type.Object({
    resourceType: VisitType,
    parentResourceId: Type.String({ maxLength: 100, description: 'Id of the base.' }),
  }),
  status: 200,
  response: Type.Record(
    Type.String(),
    Type.Object({ resourceType: VisitType, parentResourceId: Type.String(), resourceId: Type.String() }),
    { description: 'By table id.' },
  ),
});

export const listLastBases = endpoint({
  name: 'listLastBases',
  method: 'GET',
  path: '/user/last-visit/list-base',
  summary: 'The bases you opened last',
  description: 'The newest first, ten at most.',
  tag,
  access,
  status: 200,
  response: Type.Object({
    total: Type.Integer(),
    list: Type.Array(
      Type.Object({
        resourceType: VisitType,
        resourceId: Type.String(),
        lastVisitTime: Type.String({ description: 'ISO 8601, UTC' }),
        resource: Type.Object({
          id: Type.String(),
          name: Type.String(),
          icon: Type.Union([Type.String(), Type.Null()]),
          role: Type.Enum([...roles]),
          spaceId: Type.String(),
        }),
      }),
    ),
  }),
});
