// Departments of an organisation: a tree of groups that can have roles in all of its spaces.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  department,
  departmentsOf,
  ofOrganization,
  organizationId,
  own,
  search,
  skip,
  userIds,
} from './organization.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

const tag = 'organization';
const departmentId = Type.String({ maxLength: 100, description: 'Begins with `odp`.' });
const ofDepartment = Type.Object({ organizationId, departmentId });
const name = text({ minLength: 1, maxLength: 100 });
const includeChildrenDepartment = Type.Optional(Type.Boolean({ description: 'Also what is below, on every level.' }));
const place = '/organization/:organizationId/department';

export const listOrganizationDepartments = endpoint({
  name: 'listOrganizationDepartments',
  method: 'GET',
  path: place,
  summary: 'List the departments of an organisation',
  description: 'Those at the top, or in `parentId`; with `includeChildrenDepartment` or `search` also those below.',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({ parentId: Type.Optional(departmentId), search, includeChildrenDepartment }),
  status: 200,
  response: Type.Array(department),
});

export const getDepartment = endpoint({
  name: 'getDepartment',
  method: 'GET',
  path: `${place}/:departmentId`,
  summary: 'Get a department',
  tag,
  access: own,
  params: ofDepartment,
  status: 200,
  response: department,
});

export const createDepartment = endpoint({
  name: 'createDepartment',
  method: 'POST',
  path: place,
  summary: 'Make a department',
  description: 'For administrators of the organisation. Its id is given by the server.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ name, parentId: Type.Optional(departmentId) }, { additionalProperties: false }),
  status: 201,
  response: department,
});

export const renameDepartment = endpoint({
  name: 'renameDepartment',
  method: 'PATCH',
  path: `${place}/:departmentId/rename`,
  summary: 'Rename a department',
  tag,
  access: own,
  params: ofDepartment,
  body: Type.Object({ name }),
  status: 200,
});

export const moveDepartment = endpoint({
  name: 'moveDepartment',
  method: 'PATCH',
  path: `${place}/:departmentId/move`,
  summary: 'Move a department',
  description: '400 for a place inside of itself.',
  tag,
  access: own,
  params: ofDepartment,
  body: Type.Object({ parentId: Type.Union([departmentId, Type.Null()], { description: 'Null: to the top.' }) }),
  status: 200,
});

export const deleteDepartment = endpoint({
  name: 'deleteDepartment',
  method: 'DELETE',
  path: `${place}/:departmentId`,
  summary: 'Delete a department',
  description: 'Its roles end at once. 400 while others are inside of it.',
  tag,
  access: own,
  params: ofDepartment,
  status: 200,
});

export const listOrganizationDepartmentUsers = endpoint({
  name: 'listOrganizationDepartmentUsers',
  method: 'GET',
  path: '/organization/:organizationId/department-user',
  summary: 'List people in departments',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({
    departmentId: Type.Optional(departmentId),
    includeChildrenDepartment,
    skip,
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Default 50.' })),
    search,
  }),
  status: 200,
  response: Type.Object({
    users: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        email: shownEmail,
        avatar: Type.Optional(Type.String()),
        departments: departmentsOf,
      }),
    ),
    total: Type.Integer(),
  }),
});

const departmentIds = Type.Array(departmentId, { maxItems: 100 });
const people = '/organization/:organizationId/department-user';

export const addDepartmentUsers = endpoint({
  name: 'addDepartmentUsers',
  method: 'POST',
  path: people,
  summary: 'Put members into departments',
  description: 'Each into each of them. All or none; only members of the organisation.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ departmentIds, userIds }),
  status: 200,
});

export const removeDepartmentUsers = endpoint({
  name: 'removeDepartmentUsers',
  method: 'DELETE',
  path: people,
  summary: 'Take members out of a department',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({ departmentId, userIds }),
  status: 200,
});

export const moveDepartmentUsers = endpoint({
  name: 'moveDepartmentUsers',
  method: 'PATCH',
  path: `${people}/move`,
  summary: 'Move members from one department into another',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ departmentId, toDepartmentId: departmentId, userIds }),
  status: 200,
});

export const setDepartmentsOfUser = endpoint({
  name: 'setDepartmentsOfUser',
  method: 'PATCH',
  path: `${people}/department`,
  summary: 'Set all departments of a member',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ departmentIds: Type.Optional(departmentIds), userId: Type.String({ maxLength: 100 }) }),
  status: 200,
});
