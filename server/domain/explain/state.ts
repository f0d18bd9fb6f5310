// The rights of a base as data: what is stored, or what it would be after a change. From it follow the roles of a person and what they see.
import type { Standing } from '@rowhouse/contract/rights-explained.ts';
import { rightsOf } from '../../catalog/bound.ts';
import type { TableGrants } from '../../catalog/matrix.sql.ts';
import { type ReaderCells, readerCells, readerValuesOf } from '../../catalog/reader-values.ts';
import { selectReaderValues } from '../../catalog/reader-values.sql.ts';
import { everything, type Rights, type TableRights } from '../../catalog/rights.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { selectRoles } from '../rights/matrix.sql.ts';
import { findMatrix } from '../rights/read-matrix.ts';
import type { Member } from './explain.sql.ts';

export interface ExplainedRole {
  id: string;
  name: string;
  isOn: boolean;
  /** Of the tables that are switched on for it. */
  tables: readonly TableGrants[];
  /** People and groups. */
  memberIds: ReadonlySet<string>;
  /** Ids and names of the groups among them. */
  groups: readonly (readonly [id: string, name: string])[];
}

export interface RightsState {
  isOn: boolean;
  defaultRoleId: string | null;
  adminIds: ReadonlySet<string>;
  /** In the order of their ids, in which a decision takes them. */
  roles: readonly ExplainedRole[];
}

export const loadState = async (context: Context, baseId: string): Promise<RightsState> => {
  const matrix = await findMatrix(context, baseId);
  const roles = matrix === undefined ? [] : await selectRoles(context.db, baseId);
  return {
    isOn: matrix !== undefined && matrix.enabledTime !== null,
    defaultRoleId: matrix?.defaultRoleId ?? null,
    adminIds: new Set(matrix?.adminIds),
    roles: roles
      .map(({ id, name, enabledTime, tables, users, departments }) => ({
        id,
        name,
        isOn: enabledTime !== null,
        tables: tables.filter((table) => table.enabledTime !== null),
        memberIds: new Set([...users, ...departments].map((member) => member.id)),
        groups: departments.map((group) => [group.id, group.name] as const),
      }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  };
};

export interface Position {
  standing: Standing;
  /** That are in effect. */
  roles: readonly ExplainedRole[];
}

/** What decides about a person. It says the same as the statement of the access decision, `catalog/matrix.sql.ts`; a test compares the two. */
export const positionOf = (
  { isOn, defaultRoleId, adminIds, roles }: RightsState,
  { id, isOwner, groupIds }: Member,
): Position => {
  if (!isOn) return { standing: 'off', roles: [] };
  if (isOwner) return { standing: 'owner', roles: [] };
  if (adminIds.has(id)) return { standing: 'administrator', roles: [] };
  const inForce = roles.filter((role) => role.isOn);
  const own = inForce.filter(
    ({ memberIds }) => memberIds.has(id) || groupIds.some((groupId) => memberIds.has(groupId)),
  );
  if (own.length > 0) return { standing: 'roles', roles: own };
  const fallback = inForce.filter((role) => role.id === defaultRoleId);
  return fallback.length > 0 ? { standing: 'defaultRole', roles: fallback } : { standing: 'noRole', roles: [] };
};

export const isUnbound = ({ standing }: Pick<Position, 'standing'>): boolean =>
  standing === 'off' || standing === 'owner' || standing === 'administrator';

const tablesOf = (roles: readonly ExplainedRole[]): TableGrants[] => roles.flatMap(({ tables }) => tables);

/** What values of the reader in the conditions of these roles are for each of the people. */
export const loadReaderCells = async (
  db: Queryable,
  baseId: string,
  roles: readonly ExplainedRole[],
  userIds: readonly string[],
): Promise<(userId: string) => ReaderCells> => {
  const asks = readerValuesOf(tablesOf(roles));
  const found = asks.length === 0 ? undefined : await selectReaderValues(db, baseId, asks, [...new Set(userIds)]);
  return (userId) => readerCells(asks, found?.get(userId) ?? []);
};

/** Rights of role sets, made once for each. `name`: of the state, since rights with the same key count as the same. */
export const createSights = (name: string, cellsOf: (userId: string) => ReaderCells) => {
  const known = new Map<string, Rights>();
  const ofRoles = (roles: readonly ExplainedRole[], userId: string): Rights => {
    const tables = tablesOf(roles);
    const asker = readerValuesOf(tables).length === 0 ? '' : userId;
    const key = `${name} ${roles.map(({ id }) => id).join()} ${asker}`;
    const found = known.get(key) ?? rightsOf(tables, key, { cells: cellsOf(userId) });
    known.set(key, found);
    return found;
  };
  return {
    rights: (position: Position, userId: string): Rights =>
      isUnbound(position) ? everything : ofRoles(position.roles, userId),
  };
};

export type Sights = ReturnType<typeof createSights>;

/** Null: the table is not there. */
export const rightsOn = (rights: Rights, table: TableSchema): TableRights | null =>
  rights.on === undefined ? rights.of(table.id) : rights.on(table);
