// The rights of a base as they would be after a draft. What is wrong with it is told as when it is saved.
import type { RightsDraft } from '@rowhouse/contract/rights-explained.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { TableGrants } from '../../catalog/matrix.sql.ts';
import type { Context } from '../../context.ts';
import { findRole } from '../rights/change-matrix.ts';
import { selectRoles } from '../rights/matrix.sql.ts';
import { readTables } from '../rights/read-draft.ts';
import type { ExplainedRole, RightsState } from './state.ts';

/** Of a role that is not there yet. */
const newRoleId = 'new';

type DraftRole = NonNullable<RightsDraft['role']>;

const tablesOf = async (
  { db }: Context,
  baseId: string,
  { id, tables }: DraftRole,
  before: ExplainedRole | undefined,
): Promise<readonly TableGrants[]> => {
  if (tables === undefined) return before?.tables ?? [];
  const stored = id === undefined ? [] : findRole(await selectRoles(db, baseId, id), id).tables;
  const read = await readTables(db, baseId, tables, stored);
  return read.filter(({ isOn }) => isOn);
};

const draftedRole = async (
  context: Context,
  baseId: string,
  state: RightsState,
  draft: DraftRole,
): Promise<ExplainedRole> => {
  const before = state.roles.find(({ id }) => id === draft.id);
  if (draft.id !== undefined && before === undefined) findRole([], draft.id);
  const given = [...(draft.userIds ?? []), ...(draft.departmentIds ?? [])];
  const left = [...(before?.memberIds ?? [])].filter((id) =>
    id.startsWith('usr') ? draft.userIds === undefined : draft.departmentIds === undefined,
  );
  return {
    id: draft.id ?? newRoleId,
    name: draft.name ?? before?.name ?? 'New role',
    isOn: draft.enabled ?? before?.isOn ?? true,
    tables: await tablesOf(context, baseId, draft, before),
    memberIds: new Set([...left, ...given]),
    groups: before?.groups ?? [],
  };
};

interface Drafted {
  state: RightsState;
  /** Undefined where the draft changes none. */
  role: { id: string; name: string; before: ExplainedRole | undefined; after: ExplainedRole | undefined } | undefined;
}

export const readDraftState = async (
  context: Context,
  baseId: string,
  state: RightsState,
  { enabled, defaultRole, role: draft }: RightsDraft,
): Promise<Drafted> => {
  const role = draft === undefined ? undefined : await draftedRole(context, baseId, state, draft);
  const isDeleted = draft?.deleted === true;
  if (isDeleted && draft?.id === undefined)
    throw invalid({ path: 'role.id', message: 'Which role goes?', expected: 'the id of a role of this base' });
  const others = state.roles.filter(({ id }) => id !== role?.id);
  const roles = role === undefined || isDeleted ? others : [...others, role];
  const defaultRoleId = defaultRole === undefined ? state.defaultRoleId : defaultRole;
  if (defaultRoleId !== null && defaultRole != null && !roles.some(({ id }) => id === defaultRoleId))
    findRole([], defaultRoleId);
  return {
    state: {
      ...state,
      isOn: enabled ?? state.isOn,
      defaultRoleId,
      roles:
        role === undefined && !isDeleted ? state.roles : roles.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    },
    role:
      role === undefined
        ? undefined
        : {
            id: role.id,
            name: role.name,
            before: state.roles.find(({ id }) => id === role.id),
            after: isDeleted ? undefined : role,
          },
  };
};
