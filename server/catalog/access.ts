// Access decisions: 401 for a bad credential, 404 for what is unknown or none of the caller's business,
// 403 for what the role or the token does not allow. Decisions are remembered together with the epoch
// they were made in, and are only used by operations that check that epoch in their own statement.
import { forbidden, notFound, unauthorized } from '@rowhouse/contract/error.ts';
import { type Action, allows, mightierOf, type Role } from '@rowhouse/contract/permission.ts';
import type { Queryable } from '../db/db.ts';
import { type AccessRow, type Credential, type Resource, selectAccess } from './access.sql.ts';
import { hasScope, type Principal, reaches } from './principal.ts';

export interface Access {
  epoch: number;
  principal: Principal;
  spaceId: string | null;
  baseId: string | null;
  tableId: string | null;
  /** The mightier of the roles on the space and on the base. */
  role: Role | null;
}

export const can = (access: Access, action: Action): boolean =>
  access.role !== null && allows(access.role, action) && hasScope(access.principal, action);

const principalOf = (row: AccessRow): Principal => ({
  userId: row.userId as string,
  name: row.name,
  email: row.email,
  isAdmin: row.isAdmin,
  kind: row.tokenId === null ? 'session' : row.clientId === null ? 'token' : 'oauth',
  tokenId: row.tokenId,
  clientId: row.clientId,
  scopes: row.scopes === null ? null : new Set(row.scopes),
  reach:
    row.tokenId === null || row.hasFullAccess
      ? null
      : { spaceIds: new Set(row.spaceIds ?? []), baseIds: new Set(row.baseIds ?? []) },
  expires: Date.parse(row.expires),
});

const label = { space: 'Space', base: 'Base', table: 'Table' } as const;

export const resolveAccess = async (db: Queryable, credential: Credential, resource: Resource | null): Promise<Access> => {
  const row = await selectAccess(db, credential, resource);
  if (row.userId === null) throw unauthorized();
  const principal = principalOf(row);
  const role = mightierOf(row.spaceRole as Role | null, row.baseRole as Role | null);
  if (resource !== null) {
    if (row.spaceId === null || role === null) throw notFound(label[resource.type], resource.id);
    if (!reaches(principal, row.spaceId, row.baseId)) throw forbidden(`This token is not allowed to reach ${resource.type} ${resource.id}`);
  }
  return { epoch: row.epoch, principal, spaceId: row.spaceId, baseId: row.baseId, tableId: row.tableId, role };
};

export const demand = (access: Access, action: Action, on: string): void => {
  if (access.role !== null && !allows(access.role, action)) throw forbidden(`The role ${access.role} is not allowed to operate ${action} on ${on}`);
  if (!hasScope(access.principal, action)) throw forbidden(`This token lacks the scope ${action}, needed on ${on}`);
};

const capacity = 20_000;

/** Remembered decisions of this process, by credential and resource. */
export const createAccessCache = () => {
  const entries = new Map<string, Access>();
  return {
    get(key: string, now: number): Access | undefined {
      const found = entries.get(key);
      if (found === undefined || found.principal.expires <= now) return undefined;
      return found;
    },
    set(key: string, access: Access): void {
      if (entries.size >= capacity) entries.clear();
      entries.set(key, access);
    },
    delete(key: string): void {
      entries.delete(key);
    },
  };
};

export type AccessCache = ReturnType<typeof createAccessCache>;
