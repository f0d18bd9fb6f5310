// Organisations: who owns spaces, domains and ways to sign in together, and who is a member.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';
import { email, shownEmail } from './user.ts';

const tag = 'organization';
/** Of people, not of applications. */
export const own = { on: 'user', own: true } as const;
export const organizationId = Type.String({ maxLength: 100, description: 'Begins with `org`.' });
export const ofOrganization = Type.Object({ organizationId });
export const userIds = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1_000 });
export const skip = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
export const search = Type.Optional(text({ maxLength: 255, description: 'Part of the name; case does not matter.' }));
const organizationName = text({ minLength: 1, maxLength: 100 });
const time = Type.String({ description: 'ISO 8601, UTC' });
const avatar = Type.Optional(Type.String());

export const department = Type.Object({
  id: Type.String(),
  name: Type.String(),
  parentId: Type.Optional(Type.String()),
  path: Type.Array(Type.String(), { description: 'Ids from the top down to this department.' }),
  pathName: Type.Array(Type.String()),
  hasChildren: Type.Boolean(),
  memberCount: Type.Integer({ description: 'People in it and in those below.' }),
});
export const departmentsOf = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    path: Type.Array(Type.String()),
    pathName: Type.Array(Type.String()),
  }),
);

const admin = Type.Object({ id: Type.String(), name: Type.String(), email: shownEmail, avatar });

export const listOrganizations = endpoint({
  name: 'listOrganizations',
  method: 'GET',
  path: '/admin/organization',
  summary: 'List the organisations of this instance',
  tag,
  access: { on: 'admin' },
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default 1.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 10.' })),
    search,
  }),
  status: 200,
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        createdTime: time,
        createdBy: Type.String(),
        userCount: Type.Integer(),
        spaceCount: Type.Integer(),
        adminCount: Type.Integer(),
        admins: Type.Array(admin),
      }),
    ),
    total: Type.Integer(),
    page: Type.Integer(),
    pageSize: Type.Integer(),
  }),
});

export const createOrganization = endpoint({
  name: 'createOrganization',
  method: 'POST',
  path: '/admin/organization',
  summary: 'Make an organisation',
  description: '402 where no plan has organisations. It has no members yet: name an administrator of it next.',
  tag,
  access: { on: 'admin' },
  body: Type.Object({ name: organizationName }),
  status: 201,
  response: Type.Object({ id: Type.String(), name: Type.String(), createdTime: time, createdBy: Type.String() }),
});

export const deleteOrganization = endpoint({
  name: 'deleteOrganization',
  method: 'DELETE',
  path: '/admin/organization/:organizationId',
  summary: 'Delete an organisation',
  description:
    'Its departments end with their roles, its domains and providers too. Accounts and spaces stay, with all that is in them.',
  tag,
  access: { on: 'admin' },
  params: ofOrganization,
  status: 200,
});

export const listOrganizationAdmins = endpoint({
  name: 'listOrganizationAdmins',
  method: 'GET',
  path: '/admin/organization/:organizationId/admin',
  summary: 'Who administers an organisation',
  tag,
  access: { on: 'admin' },
  params: ofOrganization,
  status: 200,
  response: Type.Object({ users: Type.Array(admin) }),
});

export const setOrganizationAdmin = endpoint({
  name: 'setOrganizationAdmin',
  method: 'PUT',
  path: '/admin/organization/:organizationId/admin',
  summary: 'Let somebody administer an organisation, or no longer',
  description: 'They become a member with it. 409 for somebody who is in another organisation.',
  tag,
  access: { on: 'admin' },
  params: ofOrganization,
  body: Type.Object({ userId: Type.String({ maxLength: 100 }), isAdmin: Type.Boolean() }),
  status: 200,
});

export const getInstanceOrganization = endpoint({
  name: 'getInstanceOrganization',
  method: 'GET',
  path: '/instance/organization',
  summary: 'The organisation of an instance that has one for all',
  description: 'null where there is none, or more than one, or the caller is no member.',
  tag,
  access: own,
  status: 200,
  response: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
});

export const getOwnOrganization = endpoint({
  name: 'getOwnOrganization',
  method: 'GET',
  path: '/organization/me',
  summary: 'The organisation of the caller',
  tag,
  access: { on: 'user' },
  status: 200,
  response: Type.Union([
    Type.Object({ id: Type.String(), name: Type.String(), isAdmin: Type.Boolean() }),
    Type.Null({ description: 'The caller is in none.' }),
  ]),
});

export const getOrganizationMe = endpoint({
  name: 'getOrganizationMe',
  method: 'GET',
  path: '/organization/:organizationId/me',
  summary: 'What the caller is in an organisation',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Object({ userId: Type.String(), organizationId: Type.String(), isAdmin: Type.Boolean() }),
});

export const getOrganization = endpoint({
  name: 'getOrganization',
  method: 'GET',
  path: '/organization/:organizationId',
  summary: 'Get an organisation',
  description: 'For its members.',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    domain: Type.Array(Type.String(), { description: 'Its verified domains.' }),
  }),
});

export const renameOrganization = endpoint({
  name: 'renameOrganization',
  method: 'PUT',
  path: '/organization/:organizationId/rename',
  summary: 'Rename an organisation',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ name: organizationName }),
  status: 200,
});

const autoSpace = Type.Object({
  autoSpaceType: Type.Enum(['all', 'selected', 'none']),
  autoSpaceIds: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
});
const departmentScope = Type.Enum(['all', 'related'], {
  description: '`related`: members browse only the branches that they are in themselves.',
});

export const getOrganizationSetting = endpoint({
  name: 'getOrganizationSetting',
  method: 'GET',
  path: '/organization/:organizationId/setting',
  summary: 'Settings of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Object({
    autoSpaceType: Type.Enum(['all', 'selected', 'none']),
    autoSpaceIds: Type.Array(Type.String()),
    departmentScope,
    onlyProviderId: Type.Union([Type.String(), Type.Null()], {
      description: 'The only provider through which people of its verified domains sign in.',
    }),
  }),
});

export const setOrganizationAutoSpace = endpoint({
  name: 'setOrganizationAutoSpace',
  method: 'PUT',
  path: '/organization/:organizationId/update-auto-space',
  summary: 'Which spaces new members join',
  description: 'As editors. Those who are members already are not touched.',
  tag,
  access: own,
  params: ofOrganization,
  body: autoSpace,
  status: 200,
  response: autoSpace,
});

export const setDepartmentScope = endpoint({
  name: 'setDepartmentScope',
  method: 'PUT',
  path: '/organization/:organizationId/department-scope',
  summary: 'Which departments members can browse',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ departmentScope }),
  status: 200,
  response: Type.Object({ departmentScope }),
});

const member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: shownEmail,
  avatar,
  createdTime: time,
  isAdmin: Type.Boolean(),
  isExternal: Type.Boolean({ description: 'The address is of none of its verified domains.' }),
  deactivatedTime: Type.Optional(time),
});

export const listOrganizationUsers = endpoint({
  name: 'listOrganizationUsers',
  method: 'GET',
  path: '/organization/:organizationId/users',
  summary: 'List the members of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({
    skip,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Default 50.' })),
    search,
  }),
  status: 200,
  response: Type.Object({ users: Type.Array(member), total: Type.Integer() }),
});

export const createOrganizationUsers = endpoint({
  name: 'createOrganizationUsers',
  method: 'POST',
  path: '/organization/:organizationId/users',
  summary: 'Make accounts for people of the organisation',
  description:
    'All or none, for addresses of its verified domains. Accounts have no password: people sign in through a provider, or set one by mail. Who has an account joins with it. Ids are given by the server.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Array(
    Type.Object(
      {
        email,
        name: Type.Optional(text({ minLength: 1, maxLength: 100 })),
        departmentId: Type.Optional(Type.String({ maxLength: 100 })),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 200 },
  ),
  status: 201,
  response: Type.Array(Type.Object({ id: Type.String(), email: shownEmail, name: Type.String() })),
});

export const addOrganizationUsers = endpoint({
  name: 'addOrganizationUsers',
  method: 'POST',
  path: '/organization/:organizationId/user',
  summary: 'Add people who have an account',
  description:
    'Those of its verified domains, and those who have a role in one of its spaces. Each address is answered by itself.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ emails: Type.Array(email, { minItems: 1, maxItems: 200 }) }),
  status: 200,
  response: Type.Array(
    Type.Object({ email: Type.String(), success: Type.Boolean(), message: Type.Optional(Type.String()) }),
  ),
});

export const removeOrganizationUsers = endpoint({
  name: 'removeOrganizationUsers',
  method: 'DELETE',
  path: '/organization/:organizationId/user',
  summary: 'Take people out of an organisation, or leave it',
  description:
    'For administrators of it; everyone may leave. They leave its departments, too. Accounts, and roles that they have by themselves, stay.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ userIds }),
  status: 200,
});

const ofUser = Type.Object({ organizationId, userId: Type.String({ maxLength: 100 }) });

export const getOrganizationUser = endpoint({
  name: 'getOrganizationUser',
  method: 'GET',
  path: '/organization/:organizationId/user/:userId',
  summary: 'Get a member of an organisation',
  tag,
  access: own,
  params: ofUser,
  status: 200,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: shownEmail,
    avatar,
    isAdmin: Type.Boolean(),
    organization: Type.Object({ id: Type.String(), name: Type.String() }),
    departments: departmentsOf,
  }),
});

export const updateOrganizationUser = endpoint({
  name: 'updateOrganizationUser',
  method: 'PATCH',
  path: '/organization/:organizationId/user/:userId',
  summary: 'Let a member administer the organisation, or no longer',
  description: '409 for the last one who does.',
  tag,
  access: own,
  params: ofUser,
  body: Type.Object({ isAdmin: Type.Boolean() }),
  status: 200,
});

export const deactivateOrganizationUser = endpoint({
  name: 'deactivateOrganizationUser',
  method: 'POST',
  path: '/organization/:organizationId/user/:userId/deactivate',
  summary: 'Shut a member out of this instance',
  description:
    'Sessions, access tokens, streams and what applications were allowed end before it answers. For members with an address of its verified domains who do not administer the instance.',
  tag,
  access: own,
  params: ofUser,
  status: 200,
});

export const activateOrganizationUser = endpoint({
  name: 'activateOrganizationUser',
  method: 'POST',
  path: '/organization/:organizationId/user/:userId/activate',
  summary: 'Let a member in again',
  tag,
  access: own,
  params: ofUser,
  status: 200,
});

export const haveOrganizationUsers = endpoint({
  name: 'haveOrganizationUsers',
  method: 'GET',
  path: '/organization/:organizationId/user-exists',
  summary: 'Which of these people are members',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({ userIds }),
  status: 200,
  response: Type.Array(Type.Boolean(), { description: 'In the order of `userIds`.' }),
});
