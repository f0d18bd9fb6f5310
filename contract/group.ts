// Groups of people in a space. They get roles on the space and its bases as people do: Teable's clients know them as departments.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { spaceParams } from './collaborator.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

const tag = 'group';
const groupId = Type.String({ maxLength: 100, description: 'Begins with `odp`.' });
const groupParams = Type.Object({ spaceId: Type.String(), groupId });
const groupName = text({ minLength: 1, maxLength: 100 });
const userIds = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1_000 });
const skip = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
const take = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Default 50.' }));
const search = Type.Optional(text({ maxLength: 255, description: 'Part of the name; case does not matter.' }));
const includeChildrenDepartment = Type.Optional(Type.Boolean({ description: 'Also what is below, on every level.' }));

/** How many groups may be inside of each other. */
export const deepestGroup = 10;

const group = Type.Object({
  id: Type.String(),
  name: Type.String(),
  parentId: Type.Optional(Type.String()),
  path: Type.Array(Type.String(), { description: 'Ids from the top down to this group.' }),
  pathName: Type.Array(Type.String()),
  hasChildren: Type.Boolean(),
  spaceId: Type.Optional(Type.String()),
  organizationId: Type.Optional(
    Type.String({ description: 'In place of `spaceId`: a department of an organisation.' }),
  ),
  memberCount: Type.Integer({ description: 'People in it and in the groups below.' }),
});

const groupUsers = Type.Object({
  users: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: shownEmail,
      avatar: Type.Optional(Type.String()),
      departments: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          path: Type.Array(Type.String()),
          pathName: Type.Array(Type.String()),
        }),
        { description: 'The groups that somebody put this person into.' },
      ),
    }),
  ),
  total: Type.Integer(),
});

export const listGroups = endpoint({
  name: 'listGroups',
  method: 'GET',
  path: '/space/:spaceId/group',
  summary: 'List the groups of a space',
  description:
    'With `withDepartments` also the departments of the organisation that the space belongs to, as far as the caller may browse them: they can have roles in the space, too.',
  tag,
  access: { on: 'space', action: 'space|read' },
  params: spaceParams,
  query: Type.Object({ withDepartments: Type.Optional(Type.Boolean()) }),
  status: 200,
  response: Type.Array(group),
});

export const createGroup = endpoint({
  name: 'createGroup',
  method: 'POST',
  path: '/space/:spaceId/group',
  summary: 'Make a group in a space',
  description: `402 where the plan has no groups. Groups can be inside of each other, ${deepestGroup} levels deep: members of a group are members of the one above.`,
  tag,
  access: { on: 'space', action: 'space|grant_role' },
  params: spaceParams,
  body: Type.Object({ name: groupName, parentId: Type.Optional(groupId) }),
  status: 201,
  response: group,
});

export const updateGroup = endpoint({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/space/:spaceId/group/:groupId',
  summary: 'Rename or move a group',
  tag,
  access: { on: 'space', action: 'space|grant_role' },
  params: groupParams,
  body: Type.Object({
    name: Type.Optional(groupName),
    parentId: Type.Optional(Type.Union([groupId, Type.Null()], { description: 'Null: to the top.' })),
  }),
  status: 200,
  response: group,
});

export const deleteGroup = endpoint({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/space/:spaceId/group/:groupId',
  summary: 'Delete a group',
  description:
    'Its roles end at once, and with them what its members could do by them alone. 400 while other groups are inside of it.',
  tag,
  access: { on: 'space', action: 'space|grant_role' },
  params: groupParams,
  status: 200,
});

export const addGroupMembers = endpoint({
  name: 'addGroupMembers',
  method: 'POST',
  path: '/space/:spaceId/group/:groupId/member',
  summary: 'Put people into a group',
  description: 'All or none. They get the roles that the group and those above it have, and are told.',
  tag,
  access: { on: 'space', action: 'space|grant_role' },
  params: groupParams,
  body: Type.Object({ userIds }),
  status: 200,
});

export const removeGroupMembers = endpoint({
  name: 'removeGroupMembers',
  method: 'DELETE',
  path: '/space/:spaceId/group/:groupId/member',
  summary: 'Take people out of a group, or leave it',
  description: 'For owners; everyone may leave. A token needs the scope `space|grant_role`.',
  tag,
  access: { on: 'space', action: 'space|read', anyFactor: true },
  params: groupParams,
  query: Type.Object({ userIds }),
  status: 200,
});

export const listDepartments = endpoint({
  name: 'listDepartments',
  method: 'GET',
  path: '/organization/department',
  summary: 'List the groups of all spaces of the caller',
  description: 'Those at the top, or in `parentId`; with `includeChildrenDepartment` or `search` also those below.',
  tag,
  access: { on: 'user', scope: 'space|read' },
  query: Type.Object({ parentId: Type.Optional(groupId), search, includeChildrenDepartment }),
  status: 200,
  response: Type.Array(group),
});

export const listDepartmentUsers = endpoint({
  name: 'listDepartmentUsers',
  method: 'GET',
  path: '/organization/department-user',
  summary: 'List people in the groups of all spaces of the caller',
  tag,
  access: { on: 'user', scope: 'space|read' },
  query: Type.Object({ departmentId: Type.Optional(groupId), includeChildrenDepartment, skip, take, search }),
  status: 200,
  response: groupUsers,
});
