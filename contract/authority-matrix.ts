// Rights on rows and fields of a base. Roles grant actions on tables, fields and records to people and groups; what no grant of theirs names
// is not there for them. Teable's form of a grant and the form that is stored can both be sent.
import { type Static, Type } from 'typebox';
import { baseParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { Filter } from './filter.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

/** What a grant can allow: the most is what an editor may. */
export const grantActions = [
  'record|read',
  'record|create',
  'record|update',
  'record|delete',
  'record|comment',
  'record|copy',
  'table|import',
  'table|export',
  'view|create',
  'view|update',
  'view|delete',
  'table_record_history|read',
] as const;
export type GrantAction = (typeof grantActions)[number];

/** The actions that ask which field is meant. */
export const fieldActions = ['record|read', 'record|create', 'record|update'] as const;
export type FieldAction = (typeof fieldActions)[number];

/** Known to Teable's clients besides: without `field|read` nothing is read and changed; records are not archived here. */
const deniable = [...grantActions, 'field|read', 'record|archive'] as const;
export type DeniableAction = (typeof deniable)[number];

export const mostRoles = 50;
export const mostGrants = 20;
export const mostGrantConditions = 200;

const tag = 'rights';
const access = { on: 'base', action: 'base|authority_matrix_config' } as const;
const id = Type.String({ maxLength: 100 });
const roleParams = Type.Object({ baseId: Type.String(), authorityMatrixRoleId: id });
const fieldIds = Type.Array(id, { maxItems: 1_000 });
const nullableFilter = Type.Union([Filter, Type.Null()]);
const name = text({ minLength: 1, maxLength: 100 });
const description = text({ maxLength: 1_000 });
const time = Type.String({ description: 'ISO 8601, UTC. Absent: off.' });

export const Grant = Type.Object(
  {
    actions: Type.Array(Type.Enum([...grantActions]), { maxItems: grantActions.length }),
    fields: Type.Optional(
      Type.Union([fieldIds, Type.Null()], {
        description: 'Fields that are read. Null or absent: all, including future ones.',
      }),
    ),
    create: Type.Optional(
      Type.Union([fieldIds, Type.Null()], {
        description: 'Fields that are filled in new records; null: all. Absent: as `fields`.',
      }),
    ),
    update: Type.Optional(
      Type.Union([fieldIds, Type.Null()], { description: 'Fields that are changed; null: all. Absent: as `fields`.' }),
    ),
    when: Type.Optional(
      Type.Union([Filter, Type.Null()], {
        description:
          'The records that it holds for, as they are before. Null or absent: all. `me` is the caller. With `is`, `isAnyOf` and `hasAnyOf` a value may be one of the caller: `{type: "mine", tableId, keyFieldId, fieldId}`, the cells of those records of a table whose person field `keyFieldId` names them (without `fieldId` these records, for a link), or `{type: "myGroups"}`, the people of their groups, and for a text or a choice the names of these. It holds where one of them is the cell, and for nothing where there is none.',
      }),
    ),
    after: Type.Optional(
      Type.Union([Filter, Type.Null()], {
        description:
          'What records have to meet after they were created or updated. Of creates that say nothing: `when`.',
      }),
    ),
    memo: Type.Optional(text({ maxLength: 300, description: 'Shown to those whom only the condition keeps out.' })),
    reveals: Type.Optional(
      Type.Array(id, {
        maxItems: 1_000,
        description:
          'Fields and tables that computed fields which this grant names show although they are hidden themselves: each field and table on the way to what is shown. A computed field that reaches for more is hidden. Needs a list of `fields`.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Grant = Static<typeof Grant>;

const teableGrant = {
  disabledActions: Type.Optional(
    Type.Array(Type.Enum([...deniable]), {
      maxItems: 50,
      description: 'Of what an editor may: what these members may not.',
    }),
  ),
  fieldRecordPermission: Type.Optional(
    Type.Array(
      Type.Object({
        fieldId: id,
        disabledActions: Type.Optional(Type.Array(Type.Enum([...fieldActions]), { maxItems: 10 })),
      }),
      {
        maxItems: 1_000,
        description: 'The fields there are for these members. Absent: all, including future ones.',
      },
    ),
  ),
  recordFilter: Type.Optional(nullableFilter),
};

const tableShape = {
  tableId: id,
  ...teableGrant,
  enabledViewIds: Type.Optional(
    Type.Union([Type.Array(id, { maxItems: 1_000 }), Type.Null()], { description: 'Absent: all views.' }),
  ),
  grants: Type.Optional(
    Type.Array(Grant, {
      maxItems: mostGrants,
      description: 'In place of `disabledActions`, `fieldRecordPermission` and `recordFilter`.',
    }),
  ),
  recordFacts: Type.Optional(
    Type.Boolean({ description: 'False: no numbers, times and authors of records. Default true.' }),
  ),
};

export const TableGrant = Type.Object({
  ...tableShape,
  enabled: Type.Optional(
    Type.Boolean({ description: 'Default: as it is for this table in this role; for a new one true.' }),
  ),
});
export type TableGrant = Static<typeof TableGrant>;

const node = {
  nodeType: Type.Enum(['workflow', 'app']),
  nodeId: id,
};
const Node = Type.Object({ ...node, enabled: Type.Optional(Type.Boolean()) });

export const RoleDraft = Type.Object({
  name,
  description: Type.Optional(Type.Union([description, Type.Null()])),
  tables: Type.Optional(Type.Array(TableGrant, { maxItems: 1_000 })),
  nodes: Type.Optional(Type.Array(Node, { maxItems: 1_000 })),
});

const principals = {
  users: Type.Optional(
    Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), email: shownEmail, avatar: Type.Optional(Type.String()) }),
    ),
  ),
  departments: Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))),
};

const roleHead = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  baseId: Type.String(),
  createdTime: Type.String(),
  enabledTime: Type.Optional(time),
};

const Role = Type.Object({
  ...roleHead,
  ...principals,
  tables: Type.Array(
    Type.Object({
      authorityMatrixRoleId: Type.String(),
      ...tableShape,
      createdTime: Type.String(),
      enabledTime: Type.Optional(time),
    }),
  ),
  nodes: Type.Optional(
    Type.Array(Type.Object({ ...node, authorityMatrixRoleId: Type.String(), enabledTime: Type.Optional(time) })),
  ),
});
export type AuthorityRole = Static<typeof Role>;

const matrixHead = {
  id: Type.String(),
  baseId: Type.String(),
  defaultRole: Type.Optional(Type.String()),
  enabledTime: Type.Optional(time),
};

export const setAuthorityMatrixStatus = endpoint({
  name: 'setAuthorityMatrixStatus',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix/status',
  summary: 'Switch the rights of a base on or off',
  description:
    'Switched off they stay as they are, without effect. The one who switches them on becomes an administrator of them. 402 where the plan has no rights on rows and fields.',
  tag,
  access,
  params: baseParams,
  body: Type.Object({ enabled: Type.Boolean() }),
  status: 200,
  response: Type.Object({ id: Type.String(), enabledTime: Type.Optional(time) }),
});

export const getAuthorityMatrix = endpoint({
  name: 'getAuthorityMatrix',
  method: 'GET',
  path: '/base/:baseId/authority-matrix',
  summary: 'The rights of a base: on or off, default role, administrators',
  tag,
  access,
  params: baseParams,
  status: 200,
  response: Type.Array(Type.Object({ ...matrixHead, adminUsers: principals.users }), {
    description: 'One item, or none before they were first set up.',
  }),
});

export const setDefaultAuthorityRole = endpoint({
  name: 'setDefaultAuthorityRole',
  method: 'PUT',
  path: '/base/:baseId/authority-matrix',
  summary: 'Say which role members without a role have',
  tag,
  access,
  params: baseParams,
  body: Type.Object({
    defaultRole: Type.Union([id, Type.Null()], { description: 'Null: none. Then they see the base and no tables.' }),
  }),
  status: 200,
  response: Type.Object(matrixHead),
});

export const setAuthorityMatrixAdmins = endpoint({
  name: 'setAuthorityMatrixAdmins',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix/admin-user',
  summary: 'Say who administers the rights of a base',
  description: 'Rules do not bind them. They need the role creator on the base. The list replaces the one before.',
  tag,
  access,
  params: baseParams,
  body: Type.Object({ userIds: Type.Union([Type.Array(id, { maxItems: 100 }), Type.Null()]) }),
  status: 200,
});

export const createAuthorityRole = endpoint({
  name: 'createAuthorityRole',
  method: 'POST',
  path: '/base/:baseId/authority-matrix-role',
  summary: 'Make a role',
  tag,
  access,
  params: baseParams,
  body: Type.Object({
    ...RoleDraft.properties,
    enabled: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  }),
  status: 200,
  response: Role,
});

export const listAuthorityRoles = endpoint({
  name: 'listAuthorityRoles',
  method: 'GET',
  path: '/base/:baseId/authority-matrix-role',
  summary: 'List the roles of a base',
  tag,
  access,
  params: baseParams,
  status: 200,
  response: Type.Array(Type.Object({ ...roleHead, ...principals })),
});

export const getAuthorityRole = endpoint({
  name: 'getAuthorityRole',
  method: 'GET',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId',
  summary: 'Get a role with its grants and members',
  tag,
  access,
  params: roleParams,
  status: 200,
  response: Role,
});

export const updateAuthorityRole = endpoint({
  name: 'updateAuthorityRole',
  method: 'PUT',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId',
  summary: 'Change what a role grants',
  description:
    '`tables` and `nodes`, where given, replace what was there. Tables in the trash keep their grants until they are deleted for good.',
  tag,
  access,
  params: roleParams,
  body: RoleDraft,
  status: 200,
  response: Role,
});

export const deleteAuthorityRole = endpoint({
  name: 'deleteAuthorityRole',
  method: 'DELETE',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId',
  summary: 'Delete a role',
  description: 'Its members have their other roles from then on, or the default role. 400 for the default role.',
  tag,
  access,
  params: roleParams,
  status: 200,
});

export const setAuthorityRoleStatus = endpoint({
  name: 'setAuthorityRoleStatus',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId/status',
  summary: 'Switch a role on or off',
  tag,
  access,
  params: roleParams,
  body: Type.Object({ enabled: Type.Boolean() }),
  status: 200,
  response: Type.Object({ id: Type.String(), authorityMatrixId: Type.String(), enabledTime: Type.Optional(time) }),
});

export const renameAuthorityRole = endpoint({
  name: 'renameAuthorityRole',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId/name',
  summary: 'Rename a role',
  tag,
  access,
  params: roleParams,
  body: Type.Object({ name }),
  status: 200,
  response: Type.Object({ id: Type.String(), name: Type.String() }),
});

export const describeAuthorityRole = endpoint({
  name: 'describeAuthorityRole',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId/description',
  summary: 'Describe a role',
  tag,
  access,
  params: roleParams,
  body: Type.Object({ description: Type.Optional(Type.Union([description, Type.Null()])) }),
  status: 200,
  response: Type.Object({ id: Type.String(), description: Type.Optional(Type.String()) }),
});

export const setAuthorityRoleMembers = endpoint({
  name: 'setAuthorityRoleMembers',
  method: 'PATCH',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId/user',
  summary: 'Say who has a role',
  description:
    'Each list that is given replaces the one before. People and groups without a role on the base or its space become viewers of the base.',
  tag,
  access,
  params: roleParams,
  body: Type.Object({
    userIds: Type.Optional(Type.Array(id, { maxItems: 1_000 })),
    departmentIds: Type.Optional(Type.Array(id, { maxItems: 1_000 })),
  }),
  status: 200,
  response: Type.Object({ id: Type.String(), authorityMatrixId: Type.String(), ...principals }),
});

export const duplicateAuthorityRole = endpoint({
  name: 'duplicateAuthorityRole',
  method: 'POST',
  path: '/base/:baseId/authority-matrix-role/:authorityMatrixRoleId/duplicate',
  summary: 'Copy a role',
  tag,
  access,
  params: roleParams,
  body: Type.Object({
    includeUsers: Type.Optional(Type.Boolean()),
    includeDepartments: Type.Optional(Type.Boolean()),
  }),
  bodyOptional: true,
  status: 201,
  response: Type.Object({ baseId: Type.String(), authorityMatrixRoleId: Type.String() }),
});

export const rightsFindings = {
  tableUnseen: 'No role that is on shows this table.',
  roleWithoutMembers: 'Nobody has this role, and it is not the default.',
  memberWithoutRole: 'Members without a role see no tables, since there is no default role.',
  conditionWithoutMeaning: 'A condition names a field that is gone, broken or of another type: it holds for no record.',
  requiredFieldMissing: 'Records need this field, and the role creates records without being able to fill it.',
  writesOwnCondition: 'The role can change the field that its own condition rests on, and nothing is asked afterwards.',
  revealsTooLittle:
    'A computed field of a grant that reveals something is hidden: it shows more than what is revealed.',
  changesUnseen: 'The role changes records that it does not see: nothing can be changed without being read.',
} as const;
export type RightsFinding = keyof typeof rightsFindings;

export const checkAuthorityMatrix = endpoint({
  name: 'checkAuthorityMatrix',
  method: 'GET',
  path: '/base/:baseId/authority-matrix/check',
  summary: 'What in the rights of a base is probably not meant',
  description: Object.entries(rightsFindings)
    .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
    .join(' '),
  tag,
  access,
  params: baseParams,
  status: 200,
  response: Type.Object({
    findings: Type.Array(
      Type.Object({
        kind: Type.Enum(Object.keys(rightsFindings) as RightsFinding[]),
        message: Type.String(),
        roleId: Type.Optional(Type.String()),
        roleName: Type.Optional(Type.String()),
        tableId: Type.Optional(Type.String()),
        tableName: Type.Optional(Type.String()),
        fieldId: Type.Optional(Type.String()),
        fieldName: Type.Optional(Type.String()),
        count: Type.Optional(Type.Integer({ description: 'How many people it is about.' })),
      }),
    ),
  }),
});

export const listAuthorityRoleFilterRecords = endpoint({
  name: 'listAuthorityRoleFilterRecords',
  method: 'GET',
  path: '/base/:baseId/authority-matrix-role-table/:tableId/filter-link-records',
  summary: 'Records that the conditions of a role name, with their titles',
  tag,
  access,
  params: Type.Object({ baseId: Type.String(), tableId: id }),
  query: Type.Object({ authorityMatrixRoleId: id }),
  status: 200,
  response: Type.Array(
    Type.Object({
      tableId: Type.String(),
      records: Type.Array(Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) })),
    }),
  ),
});
