// The access check for a resource that is named in the body or query of a request: the same answers as
// for one in the path (http/bind.ts), 404 for what is unknown or none of the caller's business.
import { type ApiError, forbidden, notFound } from '@rowhouse/contract/error.ts';
import { type Action, mightierOf, type Role } from '@rowhouse/contract/permission.ts';
import type { Resource } from '../../catalog/access.sql.ts';
import { boundRightsIn, demand, secondFactorDemanded } from '../../catalog/access.ts';
import { type Principal, reaches } from '../../catalog/principal.ts';
import type { Rights } from '../../catalog/rights.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { demandNewest } from '../../db/upgrade-base.ts';
import { selectStanding, type Standing } from './collaborator.sql.ts';

export interface Stand extends Standing {
  /** The mightier of the roles on the space and on the base; of those who are bound by rules that of an editor. */
  role: Role;
  rights: Rights;
}

const label = { space: 'Space', base: 'Base', table: 'Table' } as const;

const isTrashed = (standing: Standing): boolean =>
  standing.spaceTrashed || standing.baseTrashed || standing.tableTrashed;

export const demandAccess = async (
  db: Db | Tx,
  context: Pick<Context, 'access'> & { principal: Principal },
  resource: Resource,
  action: Action,
  missing: ApiError = notFound(label[resource.type], resource.id),
): Promise<Stand> => {
  const { principal } = context;
  const standing = await selectStanding(db, principal.userId, resource);
  const given = standing === undefined ? null : mightierOf(standing.spaceRole, standing.baseRole);
  if (standing === undefined || given === null || (!resource.trashed && isTrashed(standing))) throw missing;
  const { spaceId, baseId, tableId } = standing;
  if (!reaches(principal, spaceId, baseId))
    throw forbidden(`This token is not allowed to reach ${resource.type} ${resource.id}`);
  if (standing.lacksSecondFactor && resource.anyFactor !== true) throw secondFactorDemanded();
  const rights = (await boundRightsIn(db, standing, principal.userId)) ?? context.access.rights;
  if (tableId !== null && rights.bound !== undefined && rights.of(tableId) === null) throw missing;
  const role = rights.bound === undefined ? given : 'editor';
  demand({ ...context.access, spaceId, baseId, tableId, role, rights }, action, resource.id);
  if (baseId !== null) await demandNewest(db, baseId, standing.baseVersion as number);
  return { ...standing, role, rights };
};
