// A role as the API shows it.
import type { AuthorityRole, listAuthorityRoles } from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { type Principal, shownEmail } from '../../catalog/principal.ts';
import type { PersonRow, StoredRole } from './matrix.sql.ts';
import { grantVo, type StoredTable, toTeable } from './stored.ts';

type Viewer = Pick<Principal, 'scopes'>;
type RoleHead = ResponseOf<typeof listAuthorityRoles>[number];

export const personVo = (viewer: Viewer, { id, name, email, avatar }: PersonRow) => ({
  id,
  name,
  email: shownEmail(viewer, email),
  ...(avatar === null ? {} : { avatar }),
});

const iso = (time: string): string => new Date(time).toISOString();

/** "Enabled" is a time wherever Teable says it. */
export const enabled = (time: string | null): { enabledTime?: string } =>
  time === null ? {} : { enabledTime: iso(time) };

export const roleHeadVo = (viewer: Viewer, role: StoredRole): RoleHead => ({
  id: role.id,
  name: role.name,
  ...(role.description === null ? {} : { description: role.description }),
  baseId: role.baseId,
  createdTime: iso(role.createdTime),
  ...enabled(role.enabledTime),
  users: role.users.map((person) => personVo(viewer, person)),
  departments: role.departments,
});

const tableVo = (roleId: string, table: StoredTable): AuthorityRole['tables'][number] => ({
  authorityMatrixRoleId: roleId,
  tableId: table.tableId,
  ...toTeable(table.grants),
  ...(table.viewIds === null ? {} : { enabledViewIds: table.viewIds }),
  grants: table.grants.map(grantVo),
  ...(table.showsFacts ? {} : { recordFacts: false }),
  createdTime: iso(table.createdTime),
  ...enabled(table.enabledTime),
});

export const roleVo = (viewer: Viewer, role: StoredRole): AuthorityRole => ({
  ...roleHeadVo(viewer, role),
  tables: role.tables.map((table) => tableVo(role.id, table)),
  nodes: role.nodes.map((node) => ({ authorityMatrixRoleId: role.id, ...node })),
});
