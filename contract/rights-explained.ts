// What rights on rows and fields come to: who sees a field or a record and why, what a change would do to whom, and what somebody may in a table.
import { type Static, Type } from 'typebox';
import { grantActions, TableGrant } from './authority-matrix.ts';
import { baseParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { Filter } from './filter.ts';
import { shownEmail } from './user.ts';

const tag = 'rights';
const access = { on: 'base', action: 'base|authority_matrix_config' } as const;
const id = Type.String({ maxLength: 100 });

const extent = Type.Enum(['all', 'some', 'none'], {
  description: '`some`: in some records, or in some of their cells.',
});
export type Extent = Static<typeof extent>;

export const standings = {
  off: 'The rights are off: every member sees everything.',
  owner: 'Owners of the space are not bound.',
  administrator: 'Administrators of the rights are not bound.',
  roles: 'Their roles say what they see.',
  defaultRole: 'They have no role of their own, and the default role.',
  noRole: 'They have no role, and there is no default role.',
} as const;
export type Standing = keyof typeof standings;

export const obstacles = {
  noTable: 'No grant of the role names the table.',
  noRead: 'The grant does not allow to see records.',
  noField: 'The grant does not name the field.',
  condition: 'The record does not meet the condition of the grant.',
} as const;
export type Obstacle = keyof typeof obstacles;

const Considered = Type.Object({
  roleId: Type.String(),
  roleName: Type.String(),
  /** Names of the groups by which they have the role. */
  groups: Type.Array(Type.String()),
  grant: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Which of its grants on the table, from 0. Null where there is none.',
  }),
  obstacle: Type.Optional(
    Type.Enum(Object.keys(obstacles) as Obstacle[], { description: 'Why it shows nothing here. Absent: it does.' }),
  ),
  when: Type.Optional(Type.Union([Filter, Type.Null()])),
});

const Hiding = Type.Object({
  tableId: Type.String(),
  tableName: Type.String(),
  fieldId: Type.Optional(Type.String({ description: 'Absent: records of that table are hidden.' })),
  fieldName: Type.Optional(Type.String()),
  always: Type.Boolean({ description: 'False: it depends on the record.' }),
});

const Person = {
  id: Type.String(),
  name: Type.String(),
  email: shownEmail,
  avatar: Type.Optional(Type.String()),
};

export const whoSees = endpoint({
  name: 'whoSees',
  method: 'GET',
  path: '/base/:baseId/authority-matrix/who',
  summary: 'Who sees a field, a record or a cell, and why',
  description: `Give \`fieldId\`, \`recordId\`, or both for one cell. Every active member is there, in order of their names. ${Object.entries(
    { ...standings, ...obstacles },
  )
    .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
    .join(' ')}`,
  tag,
  access,
  params: baseParams,
  query: Type.Object({ tableId: id, fieldId: Type.Optional(id), recordId: Type.Optional(id) }),
  status: 200,
  response: Type.Object({
    people: Type.Array(
      Type.Object({
        ...Person,
        sees: extent,
        standing: Type.Enum(Object.keys(standings) as Standing[]),
        considered: Type.Array(Considered, { description: 'The grants of their roles, of those who are bound.' }),
        hiddenBy: Type.Array(Hiding, {
          description: 'Of a field that is computed or linked: what of its sources they do not see.',
        }),
        credentials: Type.Object(
          {
            tokens: Type.Integer({ description: 'Access tokens of theirs.' }),
            applications: Type.Array(Type.String(), { description: 'Names of applications that act for them.' }),
          },
          { description: 'What reads records of this base for them, and sees what they see.' },
        ),
      }),
    ),
    peopleOmitted: Type.Integer({ description: 'Members beyond the first thousand.' }),
    shares: Type.Array(
      Type.Object(
        { viewId: Type.String(), viewName: Type.String(), sees: extent },
        { description: 'Visitors of a shared view.' },
      ),
    ),
    sqlReaders: Type.Boolean({ description: 'Whether SQL access to the base is open: it reads everything.' }),
  }),
});

const DraftRole = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 100 })),
    tables: Type.Optional(Type.Array(TableGrant, { maxItems: 1_000 })),
    id: Type.Optional(Type.String({ maxLength: 100, description: 'Absent: a new role.' })),
    enabled: Type.Optional(Type.Boolean()),
    userIds: Type.Optional(Type.Array(id, { maxItems: 1_000 })),
    departmentIds: Type.Optional(Type.Array(id, { maxItems: 1_000 })),
    deleted: Type.Optional(Type.Boolean({ description: 'The role goes.' })),
  },
  { description: 'What is left out stays as it is.' },
);

export const RightsDraft = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'The rights of the base, on or off.' })),
  defaultRole: Type.Optional(Type.Union([id, Type.Null()])),
  role: Type.Optional(DraftRole),
});
export type RightsDraft = Static<typeof RightsDraft>;

const FieldChange = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isComputed: Type.Boolean(),
  before: extent,
  after: extent,
});

const HiddenField = Type.Object({
  tableId: Type.String(),
  fieldId: Type.String(),
  fieldName: Type.String(),
  sees: extent,
  hiddenBy: Type.Array(Hiding),
  reveals: Type.Array(Type.String(), {
    description: 'What a grant that names the field has to reveal (`reveals`) so that it is seen all the same.',
  }),
});
export type HiddenField = Static<typeof HiddenField>;

const Counts = Type.Object(
  { before: Type.Integer(), after: Type.Integer(), gained: Type.Integer(), lost: Type.Integer() },
  { description: 'Numbers of records.' },
);
const Example = Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) });

const TableChange = Type.Object({
  tableId: Type.String(),
  tableName: Type.String(),
  fields: Type.Array(FieldChange, { description: 'Those of which more or less is seen.' }),
  actions: Type.Object({
    gained: Type.Array(Type.Enum([...grantActions])),
    lost: Type.Array(Type.Enum([...grantActions])),
  }),
  records: Type.Optional(Counts),
  tookTooLong: Type.Optional(
    Type.Literal(true, { description: 'The records were not counted: it would have taken longer than its limit.' }),
  ),
  gained: Type.Array(Example, { description: 'Some records that come into sight.' }),
  lost: Type.Array(Example, { description: 'Some records that go out of sight.' }),
});
export type TableChange = Static<typeof TableChange>;

export const previewRights = endpoint({
  name: 'previewRights',
  method: 'POST',
  path: '/base/:baseId/authority-matrix/preview',
  summary: 'What a change of the rights would change for whom',
  description:
    'Nothing is saved. People for whom the change is the same stand together; where conditions name the caller each stands alone. Counting ends after five seconds: tables that are left then say `tookTooLong`.',
  tag,
  access,
  params: baseParams,
  body: RightsDraft,
  status: 200,
  response: Type.Object({
    role: Type.Union(
      [
        Type.Object({
          id: Type.Union([Type.String(), Type.Null()]),
          name: Type.String(),
          tables: Type.Array(TableChange),
          hidden: Type.Array(HiddenField, {
            description: 'Computed fields that the draft grants, and that are hidden because of what they show.',
          }),
        }),
        Type.Null(),
      ],
      {
        description: 'The role of the draft by itself, as for a member who has no other. Null: the draft changes none.',
      },
    ),
    people: Type.Array(
      Type.Object({
        people: Type.Array(Type.Object(Person)),
        before: Type.Enum(Object.keys(standings) as Standing[]),
        after: Type.Enum(Object.keys(standings) as Standing[]),
        tables: Type.Array(TableChange),
      }),
      { description: 'Those for whom something changes.' },
    ),
    peopleOmitted: Type.Integer({ description: 'People who were not looked at, because there are many.' }),
    unchanged: Type.Integer({ description: 'People for whom nothing changes.' }),
  }),
});

const memos = Type.Array(Type.String(), { description: 'What the makers of the rules say about their conditions.' });

export const getMyRights = endpoint({
  name: 'getMyRights',
  method: 'GET',
  path: '/table/:tableId/my-rights',
  summary: 'What the caller sees and may do in a table',
  description:
    'For everybody. `some`: it depends on the record. A token counts with its scopes. `create` of a field: new records can be given it.',
  tag,
  access: { on: 'table', action: 'table|read' },
  params: Type.Object({ tableId: Type.String() }),
  status: 200,
  response: Type.Object({
    isBound: Type.Boolean({ description: 'Rules of the base say what the caller sees.' }),
    actions: Type.Array(Type.String(), { description: 'As in `GET …/permission`, those that are allowed.' }),
    records: Type.Object({
      read: extent,
      create: Type.Object({ allowed: Type.Boolean(), memos }),
      update: Type.Object({ extent, memos }),
      delete: Type.Object({ extent, memos }),
      comment: Type.Object({ extent, memos }),
      copy: Type.Object({ extent, memos }),
    }),
    fields: Type.Record(Type.String(), Type.Object({ read: extent, update: extent, create: Type.Boolean() }), {
      description: 'By id. What is neither seen nor filled in is not there.',
    }),
    recordFacts: Type.Boolean({ description: 'Numbers, times and authors of records are told.' }),
  }),
});
export type MyRights = Static<(typeof getMyRights)['response']>;
