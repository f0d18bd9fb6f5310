// What a token may do, and whether one credential covers another: nobody gives away more than they have.
import { actions } from '@rowhouse/contract/permission.ts';
import type { Principal } from '../../catalog/principal.ts';

export interface Grant {
  scopes: readonly string[];
  spaceIds: readonly string[] | null;
  baseIds: readonly string[] | null;
  hasFullAccess: boolean;
  mayDoAll: boolean;
}

/** What a grant lets a credential do. */
export const limitsOf = ({
  scopes,
  spaceIds,
  baseIds,
  hasFullAccess,
  mayDoAll,
}: Grant): Pick<Principal, 'scopes' | 'reach'> => ({
  scopes: mayDoAll ? null : new Set(scopes),
  reach: hasFullAccess ? null : { spaceIds: new Set(spaceIds), baseIds: new Set(baseIds) },
});

/** Every scope, everywhere: kept as "all its user may", so that scopes that come later are among it. */
export const isAll = (scopes: readonly string[], hasFullAccess: boolean): boolean =>
  hasFullAccess && actions.every((action) => scopes.includes(action));

type SpaceOfBase = ReadonlyMap<string, string>;

/** In words what the grant has and the principal has not; undefined when it is covered. */
export const excessOf = (
  principal: Pick<Principal, 'scopes' | 'reach'>,
  grant: Grant,
  spaceOf: SpaceOfBase,
): string | undefined => {
  if (grant.mayDoAll && principal.scopes !== null) return 'all that their user may do';
  const scopes = grant.scopes.filter((scope) => principal.scopes !== null && !principal.scopes.has(scope));
  if (scopes.length > 0) return `the scopes ${scopes.join(', ')}`;
  const { reach } = principal;
  if (reach === null) return undefined;
  if (grant.hasFullAccess) return 'full access';
  const spaces = (grant.spaceIds ?? []).filter((id) => !reach.spaceIds.has(id));
  if (spaces.length > 0) return `the spaces ${spaces.join(', ')}`;
  const bases = (grant.baseIds ?? []).filter(
    (id) => !reach.baseIds.has(id) && !reach.spaceIds.has(spaceOf.get(id) ?? ''),
  );
  return bases.length > 0 ? `the bases ${bases.join(', ')}` : undefined;
};
