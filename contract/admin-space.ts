// Spaces and bases of the instance, for its administrators: whose they are, how large, and when they were last used. Nothing of what is in them.
import { type Static, Type } from 'typebox';
import { byAdmins, forAdmins, paged, pageQuery } from './admin-user.ts';
import { spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

const tag = 'admin';
const Time = Type.String({ description: 'ISO 8601, UTC' });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const Bytes = Type.Integer({ description: 'On disk, with history and indexes.' });

export const spaceOrders = ['created', 'name', 'size', 'used'] as const;
export const baseOrders = ['used', 'name', 'size'] as const;

const first = { description: 'The first when absent. The largest, and the latest, come first.' };
const spaceSort = Type.Optional(Type.Enum([...spaceOrders], first));
const baseSort = Type.Optional(Type.Enum([...baseOrders], first));

const AdminSpace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdTime: Time,
  deletedTime: TimeOrNull,
  autoJoin: Type.Boolean({ description: 'New accounts become viewers of it.' }),
  baseCount: Type.Integer(),
  collaboratorCount: Type.Integer({ description: 'Active people with a role on it or on one of its bases.' }),
  owners: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), email: shownEmail }), {
    description: 'At most 10, active ones.',
  }),
  records: Type.Integer({ description: 'Not those in the trash.' }),
  bytes: Type.Integer({ description: 'On disk, as last counted.' }),
  lastUsedTime: Type.Union([Time, Type.Null()], {
    description: 'When somebody last opened one of its bases in the app.',
  }),
});
export type AdminSpace = Static<typeof AdminSpace>;

export const listAdminSpaces = endpoint({
  name: 'listAdminSpaces',
  method: 'GET',
  path: '/admin/space',
  summary: 'Spaces of this instance',
  tag,
  access: forAdmins,
  query: Type.Object({
    ...pageQuery,
    search: Type.Optional(
      text({ maxLength: 200, description: 'A part of its name or of the name or address of an owner, or the id.' }),
    ),
    sort: spaceSort,
    withoutOwner: Type.Optional(Type.Boolean({ description: 'Only spaces without an active owner.' })),
    includeDeleted: Type.Optional(Type.Boolean({ description: 'Also those in the trash.' })),
  }),
  status: 200,
  response: Type.Object({ data: Type.Array(AdminSpace), ...paged }),
});

const AdminBase = Type.Object({
  id: Type.String(),
  name: Type.String(),
  spaceId: Type.String(),
  spaceName: Type.String(),
  createdTime: Time,
  tableCount: Type.Integer(),
  bytes: Bytes,
  lastUsedTime: Type.Union([Time, Type.Null()], { description: 'When somebody last opened it in the app.' }),
});
export type AdminBase = Static<typeof AdminBase>;

export const listAdminBases = endpoint({
  name: 'listAdminBases',
  method: 'GET',
  path: '/admin/base',
  summary: 'Bases of this instance, with their sizes',
  tag,
  access: forAdmins,
  query: Type.Object({
    ...pageQuery,
    search: Type.Optional(text({ maxLength: 200, description: 'A part of its name or that of its space, or the id.' })),
    spaceId: Type.Optional(Type.String({ maxLength: 100 })),
    sort: baseSort,
  }),
  status: 200,
  response: Type.Object({ data: Type.Array(AdminBase), ...paged }),
});

export const listBaseSizes = endpoint({
  name: 'listBaseSizes',
  method: 'GET',
  path: '/space/:spaceId/base-size',
  summary: 'Bases of a space, with their sizes and last use',
  description: 'For owners. 402 where the plan has no panel for administrators.',
  tag: 'space',
  access: { on: 'space', action: 'space|update', ownersOnly: true },
  params: spaceParams,
  query: Type.Object({ ...pageQuery, sort: baseSort }),
  status: 200,
  response: Type.Object({ data: Type.Array(AdminBase), ...paged }),
});

export const updateAdminSpace = endpoint({
  name: 'updateAdminSpace',
  method: 'PATCH',
  path: '/admin/space/:spaceId',
  summary: 'Rename a space, or have new accounts join it',
  tag,
  access: byAdmins,
  params: spaceParams,
  body: Type.Object({
    name: Type.Optional(text({ minLength: 1, maxLength: 200 })),
    autoJoin: Type.Optional(Type.Boolean({ description: 'New accounts become viewers of it. Existing ones do not.' })),
  }),
  status: 200,
});

export const deleteAdminSpace = endpoint({
  name: 'deleteAdminSpace',
  method: 'DELETE',
  path: '/admin/space/:spaceId',
  summary: 'Put a space into the trash',
  description: 'Its owners can restore it from there, or delete it for good.',
  tag,
  access: byAdmins,
  params: spaceParams,
  status: 200,
});

export const takeOverSpace = endpoint({
  name: 'takeOverSpace',
  method: 'POST',
  path: '/admin/space/:spaceId/take-over',
  summary: 'Make yourself an owner of a space',
  description:
    'For a space whose owners have left, or that has to be looked into. The reason stands in the audit log of the space, and its owners are notified. Until then an administrator sees nothing of what is in a space.',
  tag,
  access: byAdmins,
  params: spaceParams,
  body: Type.Object({ reason: text({ minLength: 3, maxLength: 500 }) }),
  status: 200,
});
