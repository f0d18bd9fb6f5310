// Collaborators: who has which role on a space or on a single base, people and groups of people. Teable calls groups departments.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { baseRoles, roles } from './permission.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

export const roleName = Type.Enum([...roles], {
  description: 'From the mightiest down: owner, creator, editor, commenter, viewer.',
});

/** Bases have no owners of their own: the owners of the space own them. */
export const baseRoleName = Type.Enum([...baseRoles], {
  description: 'From the mightiest down: creator, editor, commenter, viewer.',
});

export const spaceParams = Type.Object({ spaceId: Type.String() });
export const baseParams = Type.Object({ baseId: Type.String() });

const principalId = Type.String({ maxLength: 100, description: 'The id of a user or of a group of the space.' });
const principalType = Type.Enum(['user', 'department'], { description: '`department`: a group of the space.' });

const skip = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many to leave out at the beginning. Default 0.' }),
);
const take = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many at most. Default 50.' }));
const search = Type.Optional(
  text({ maxLength: 255, description: 'Part of the name or of the e-mail address; case does not matter.' }),
);
const orderBy = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By the time they joined. Default `asc`.' }));
const includeSystem = Type.Optional(
  Type.Boolean({ description: 'Accepted for compatibility: there are no system users here.' }),
);

const given = {
  role: roleName,
  createdTime: Type.String({ description: 'When the role was given.' }),
  resourceType: Type.Enum(['space', 'base'], { description: 'Where the role was given.' }),
  base: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The base, for a role on a base in the list of a space.' },
    ),
  ),
};

const collaborator = Type.Union([
  Type.Object({
    userId: Type.String(),
    userName: Type.String(),
    email: shownEmail,
    avatar: Type.Union([Type.String(), Type.Null()]),
    type: Type.Literal('user'),
    billable: Type.Boolean({ description: 'Whether this role takes a seat: owner, creator and editor do.' }),
    ...given,
  }),
  Type.Object({
    departmentId: Type.String(),
    departmentName: Type.String(),
    type: Type.Literal('department'),
    ...given,
  }),
]);

export const listSpaceCollaborators = endpoint({
  name: 'listSpaceCollaborators',
  method: 'GET',
  path: '/space/:spaceId/collaborators',
  summary: 'List who has a role on a space',
  tag: 'collaborator',
  access: { on: 'space', action: 'space|read' },
  params: spaceParams,
  query: Type.Object({
    includeBase: Type.Optional(Type.Boolean({ description: 'Also those with a role on a base of the space.' })),
    includeSystem,
    skip,
    take,
    search,
    type: Type.Optional(principalType),
    orderBy,
  }),
  status: 200,
  response: Type.Object({
    collaborators: Type.Array(collaborator),
    total: Type.Integer({ description: 'Roles that match, on all pages.' }),
    uniqTotal: Type.Integer({ description: 'People and groups that match, on all pages.' }),
  }),
});

export const listBaseCollaborators = endpoint({
  name: 'listBaseCollaborators',
  method: 'GET',
  path: '/base/:baseId/collaborators',
  summary: 'List who has a role on a base, there or on its space',
  tag: 'collaborator',
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  query: Type.Object({ includeSystem, skip, take, search, type: Type.Optional(principalType), orderBy }),
  status: 200,
  response: Type.Object({
    collaborators: Type.Array(collaborator),
    total: Type.Integer({ description: 'Roles that match, on all pages.' }),
    uniqTotal: Type.Integer({ description: 'People and groups that match, on all pages.' }),
  }),
});

export const listBaseUsers = endpoint({
  name: 'listBaseUsers',
  method: 'GET',
  path: '/base/:baseId/collaborators/users',
  summary: 'List the people who can be put into a user field of a base',
  tag: 'collaborator',
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  query: Type.Object({ includeSystem, skip, take, search, orderBy }),
  status: 200,
  response: Type.Object({
    users: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        email: shownEmail,
        avatar: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    total: Type.Integer({ description: 'People that match, on all pages.' }),
  }),
});

const newcomers = Type.Array(Type.Object({ principalId, principalType }), { minItems: 1, maxItems: 1_000 });

export const addSpaceCollaborators = endpoint({
  name: 'addSpaceCollaborators',
  method: 'POST',
  path: '/space/:spaceId/collaborator',
  summary: 'Give people or groups a role on a space',
  description:
    'All or none: 400 names those who do not exist or already have a role there. No role above your own. Every member of a group has its role; ' +
    'of several roles the highest counts.',
  tag: 'collaborator',
  access: { on: 'space', action: 'space|invite_email' },
  params: spaceParams,
  body: Type.Object({ collaborators: newcomers, role: roleName }),
  status: 200,
});

export const addBaseCollaborators = endpoint({
  name: 'addBaseCollaborators',
  method: 'POST',
  path: '/base/:baseId/collaborator',
  summary: 'Give people or groups a role on a base',
  description: 'All or none: 400 names those who do not exist or already have as much there. No role above your own.',
  tag: 'collaborator',
  access: { on: 'base', action: 'base|invite_email' },
  params: baseParams,
  body: Type.Object({ collaborators: newcomers, role: baseRoleName }),
  status: 200,
});

const userId = Type.String({ maxLength: 100, description: 'The older name of `principalId`.' });

export const updateSpaceCollaborator = endpoint({
  name: 'updateSpaceCollaborator',
  method: 'PATCH',
  path: '/space/:spaceId/collaborators',
  summary: 'Change the role someone has on a space',
  description: 'The last person who is an owner cannot be made anything less (400), whatever groups are owners.',
  tag: 'collaborator',
  access: { on: 'space', action: 'space|grant_role' },
  params: spaceParams,
  body: Type.Union([
    Type.Object({ principalId, principalType, role: roleName }),
    Type.Object({ userId, role: roleName }),
  ]),
  status: 200,
});

export const updateBaseCollaborator = endpoint({
  name: 'updateBaseCollaborator',
  method: 'PATCH',
  path: '/base/:baseId/collaborators',
  summary: 'Change the role someone has on a base',
  description:
    'Owners change anyone’s, others only those of people below themselves, and never to more than their own.',
  tag: 'collaborator',
  access: { on: 'base', action: 'base|update' },
  params: baseParams,
  body: Type.Union([
    Type.Object({ principalId, principalType, role: baseRoleName }),
    Type.Object({ userId, role: baseRoleName }),
  ]),
  status: 200,
});

const whom = Type.Object({
  principalId: Type.Optional(principalId),
  principalType: Type.Optional(principalType),
  userId: Type.Optional(userId),
});

export const removeSpaceCollaborator = endpoint({
  name: 'removeSpaceCollaborator',
  method: 'DELETE',
  path: '/space/:spaceId/collaborators',
  summary: 'Take someone’s role on a space away, or leave it',
  description:
    'Owners remove anyone, others only people below themselves; everyone may leave. The last person who is an owner cannot (400). ' +
    'A token needs the scope `space|grant_role`.',
  tag: 'collaborator',
  access: { on: 'space', action: 'space|read', anyFactor: true },
  params: spaceParams,
  query: whom,
  status: 200,
});

export const removeBaseCollaborator = endpoint({
  name: 'removeBaseCollaborator',
  method: 'DELETE',
  path: '/base/:baseId/collaborators',
  summary: 'Take someone’s role on a base away, or leave it',
  description:
    'Owners remove anyone, others only people below themselves; everyone may leave. A token needs the scope `base|update`.',
  tag: 'collaborator',
  access: { on: 'base', action: 'base|read', anyFactor: true },
  params: baseParams,
  query: whom,
  status: 200,
});
