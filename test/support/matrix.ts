// Rights of a base as people set them up: roles, their members and the switch, through the operations that the app uses.
import {
  createAuthorityRole,
  type Grant,
  listAuthorityRoles,
  setAuthorityMatrixStatus,
  setAuthorityRoleMembers,
  setAuthorityRoleStatus,
  setDefaultAuthorityRole,
  updateAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Person } from './people.ts';

export type RealGrant = Omit<Partial<Grant>, 'actions' | 'when' | 'after'> & {
  actions: readonly string[];
  when?: unknown;
  after?: unknown;
};

export interface RealRole {
  /** Ids of people. */
  members: readonly string[];
  groups?: readonly string[];
  isDefault?: boolean;
  tables: Readonly<
    Record<string, { grants: readonly RealGrant[]; enabledViewIds?: readonly string[]; recordFacts?: boolean }>
  >;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`rights were not set: ${JSON.stringify(error)}`);
  return body;
};

/** All that a grant can allow. */
export const everyAction = [
  ...['read', 'create', 'update', 'delete', 'comment', 'copy'].map((name) => `record|${name}`),
  ...['import', 'export'].map((name) => `table|${name}`),
  ...['create', 'update', 'delete'].map((name) => `view|${name}`),
  'table_record_history|read',
] as const;

export const when = (fieldId: string | undefined, operator: string, value: unknown): FilterGroup =>
  ({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) as FilterGroup;

/** The first roles of the base become these, further ones are switched off, and the rights are switched on. */
export const setRoles = async (by: Person, baseId: string, roles: readonly RealRole[]): Promise<string[]> => {
  const params = { baseId };
  const present = must(await by.call(listAuthorityRoles, { params }));
  const ids: string[] = [];
  for (const [index, { members, groups = [], tables }] of roles.entries()) {
    const given = Object.entries(tables).map(([tableId, table]) => ({ tableId, enabled: true, ...table }));
    const body = { name: `Role ${index}`, tables: given } as never;
    const known = present.find(({ name }) => name === `Role ${index}`);
    const path = { baseId, authorityMatrixRoleId: known?.id ?? '' };
    const { id } = must(
      known === undefined
        ? await by.call(createAuthorityRole, { params, body })
        : await by.call(updateAuthorityRole, { params: path, body }),
    );
    ids.push(id);
    const at = { baseId, authorityMatrixRoleId: id };
    if (known !== undefined && known.enabledTime === undefined)
      must(await by.call(setAuthorityRoleStatus, { params: at, body: { enabled: true } }));
    const [users, departments] = [known?.users ?? [], known?.departments ?? []].map((list) =>
      list.map((one) => one.id),
    );
    const isSame = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
      JSON.stringify([...one].toSorted()) === JSON.stringify([...other].toSorted());
    if (!isSame(users, members) || !isSame(departments, groups))
      must(
        await by.call(setAuthorityRoleMembers, {
          params: at,
          body: { userIds: [...members], departmentIds: [...groups] },
        }),
      );
  }
  for (const { id, enabledTime } of present)
    if (!ids.includes(id) && enabledTime !== undefined)
      must(
        await by.call(setAuthorityRoleStatus, {
          params: { baseId, authorityMatrixRoleId: id },
          body: { enabled: false },
        }),
      );
  const fallback = roles.findIndex(({ isDefault }) => isDefault === true);
  must(await by.call(setDefaultAuthorityRole, { params, body: { defaultRole: ids[fallback] ?? null } }));
  must(await by.call(setAuthorityMatrixStatus, { params, body: { enabled: true } }));
  return ids;
};
