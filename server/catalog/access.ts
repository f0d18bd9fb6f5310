// Access decisions: 401 for a bad credential, 404 for what is unknown or none of the caller's business,
// 403 for what the role or the token does not allow. Decisions are remembered together with the epochs
// of what they rest on, and are only used by operations that check those in their own statement.
import { ApiError, forbidden, notFound, unauthorized } from '@rowhouse/contract/error.ts';
import { type Action, allows, mightierOf, type Role } from '@rowhouse/contract/permission.ts';
import type { Db, Tx } from '../db/db.ts';
import { demandNewest } from '../db/upgrade-base.ts';
import type { JobRight } from '../work/job.ts';
import { type AccessRow, type Credential, type Resource, selectAccess, type Starter } from './access.sql.ts';
import { hasScope, type Principal, reaches } from './principal.ts';
import { boundRightsOf } from './bound.ts';
import { epochHolder, everything, type Rights } from './rights.ts';

export interface Access {
  /** Sum of the epochs of the user and of the space, if there is one. It grows when either does. */
  epoch: number;
  principal: Principal;
  spaceId: string | null;
  baseId: string | null;
  tableId: string | null;
  /** The stronger of the caller's roles on the space and on the base. */
  role: Role | null;
  /** The space requires a second factor that the caller lacks. Only endpoints that are marked for this can be used. */
  lacksSecondFactor: boolean;
  /** Levels of all plans that apply. The highest one counts. */
  levels: readonly string[];
  /** Bytes that the space used on disk when last counted. */
  bytes: number;
  /** What the caller sees of the tables of the base. Everybody with a role sees all of them. */
  rights: Rights;
}

/** Bound by rules, which say what may be done; the role says nothing then. Owners of the space and administrators of the matrix are not. */
export const isBound = ({ rights }: Pick<Access, 'rights'>): boolean => rights.bound !== undefined;

/** For what only those may who see everything of a base. */
export const demandUnbound = (access: Pick<Access, 'rights'>, what: string): void => {
  if (isBound(access)) throw forbidden(`Rules say what you see of this base; ${what} is for those who see all of it`);
};

const mayDo = ({ role, rights, tableId }: Access, action: Action): boolean =>
  role !== null && (rights.bound?.allows(action, tableId) ?? allows(role, action));

export const can = (access: Access, action: Action): boolean =>
  mayDo(access, action) && hasScope(access.principal, action);

/** Whose changes invalidate a cached decision. */
export const restsOn = ({ principal, spaceId, rights }: Access): string[] => [
  epochHolder(rights, principal.userId),
  ...(spaceId === null ? [] : [spaceId]),
];

/** The current value of `epoch` for a decision. */
export const presentEpoch = (access: Access, epochs: ReadonlyMap<string, number>): number =>
  restsOn(access).reduce((sum, id) => sum + (epochs.get(id) ?? 0), 0);

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

/** Applies to every credential: a token never allows more than its user has. */
export const secondFactorDemanded = (): ApiError =>
  new ApiError(
    'restricted_resource',
    'This space demands a second factor of its members: set one up in your account (Account, Second factor), then you are in again',
    { secondFactor: 'demanded' },
  );

const label = { space: 'Space', base: 'Base', table: 'Table' } as const;

/** What rules of the base give; undefined for those whom they do not bind. */
export const boundRightsIn = async (
  db: Db | Tx,
  { bound, spaceRole, baseId }: Pick<AccessRow, 'bound' | 'spaceRole' | 'baseId'>,
  userId: string,
): Promise<Rights | undefined> =>
  bound === null || spaceRole === 'owner' || baseId === null ? undefined : boundRightsOf(db, baseId, bound, userId);

/**
 * Throws only for an invalid credential. A refusal is returned, together with what is known about the caller. Migrates a base
 * that an older version left behind.
 */
export const lookUpAccess = async (
  db: Db | Tx,
  credential: Credential | Starter,
  resource: Resource | null,
): Promise<{ access: Access; refusal: ApiError | null }> => {
  const row = await selectAccess(db, credential, resource);
  if (row.userId === null) throw unauthorized();
  const principal = principalOf(row);
  const given = mightierOf(row.spaceRole as Role | null, row.baseRole as Role | null);
  const { epoch, spaceId, baseId, tableId } = row;
  const rights = (given === null ? undefined : await boundRightsIn(db, row, row.userId)) ?? everything;
  // Roles of the matrix go beyond the base's own ones, up to an editor.
  const role = rights.bound === undefined ? given : 'editor';
  const access = {
    epoch,
    principal,
    spaceId,
    baseId,
    tableId,
    role,
    lacksSecondFactor: row.lacksSecondFactor,
    levels: row.levels ?? [],
    bytes: row.bytes ?? 0,
    rights,
  };
  // Do not reveal even the plan of a place that the caller may not know about.
  const hidden = { ...access, levels: [] };
  if (resource === null) return { access, refusal: null };
  if (spaceId === null || role === null)
    return { access: hidden, refusal: notFound(label[resource.type], resource.id) };
  if (tableId !== null && rights.of(tableId) === null)
    return { access: hidden, refusal: notFound(label.table, tableId) };
  if (!reaches(principal, spaceId, baseId))
    return { access: hidden, refusal: forbidden(`This token is not allowed to reach ${resource.type} ${resource.id}`) };
  if (row.lacksSecondFactor && resource.anyFactor !== true) return { access: hidden, refusal: secondFactorDemanded() };
  if (baseId !== null) await demandNewest(db, baseId, row.baseVersion as number);
  return { access, refusal: null };
};

export const resolveAccess = async (
  db: Db | Tx,
  credential: Credential | Starter,
  resource: Resource | null,
): Promise<Access> => {
  const { access, refusal } = await lookUpAccess(db, credential, resource);
  if (refusal !== null) throw refusal;
  return access;
};

export const demand = (access: Access, action: Action, on: string): void => {
  if (access.role !== null && !mayDo(access, action) && isBound(access))
    throw forbidden(`Your roles in this base do not allow ${action} on ${on}`);
  if (access.role !== null && !mayDo(access, action))
    throw forbidden(`The role ${access.role} is not allowed to operate ${action} on ${on}`);
  demandScope(access.principal, action, on);
};

/** Checks the scopes of the credential only, for actions that every role allows. */
export const demandScope = (principal: Principal, action: Action, on: string): void => {
  if (!hasScope(principal, action)) throw forbidden(`This token lacks the scope ${action}, needed on ${on}`);
};

/** Access of the person who started a job, as of now. The credential that started it must still be valid. */
export const demandStarter = async (
  db: Db | Tx,
  by: Omit<Starter, 'kind'>,
  { type, id, actions }: Omit<JobRight, 'type'> & Pick<Resource, 'type'>,
): Promise<Access> => {
  const access = await resolveAccess(db, { kind: 'starter', ...by }, { type, id, trashed: false });
  for (const action of actions) demand(access, action, id);
  return access;
};

/** For actions that cannot be undone. A base has no owner of its own, so this means the owners of its space. */
export const demandOwner = ({ role }: Pick<Access, 'role'>): void => {
  if (role !== 'owner') throw forbidden(`This is for owners of the space; the role ${role ?? 'none'} is not enough`);
};

const capacity = 20_000;

/** Cached decisions of this process, by credential and resource. */
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
