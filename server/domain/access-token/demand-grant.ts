// Checks what a token is to be given: known scopes, places its user has a role in, no more than the caller has.
import { forbidden, type Issue, invalid } from '@rowhouse/contract/error.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Queryable } from '../../db/db.ts';
import { excessOf, type Grant } from './grant.ts';
import { selectOwnBases, selectOwnSpaces, selectSpaceOfBases } from './reach.sql.ts';

const known: ReadonlySet<string> = new Set(actions);

const scopeIssues = (scopes: readonly string[]): Issue[] =>
  scopes.flatMap((scope, at) =>
    known.has(scope)
      ? []
      : [{ path: `scopes[${at}]`, message: `Unknown scope "${scope}"`, expected: `one of ${actions.join(', ')}` }],
  );

/** `kept` is what the token has already: a place that its user has since lost need not be taken off the list to change its name. */
export const demandGrant = async (db: Queryable, principal: Principal, grant: Grant, kept?: Grant): Promise<void> => {
  const spaceIds = grant.spaceIds ?? [];
  const baseIds = grant.baseIds ?? [];
  const ownSpaces = spaceIds.length === 0 ? new Set() : await selectOwnSpaces(db, principal.userId, spaceIds);
  const ownBases = baseIds.length === 0 ? new Set() : await selectOwnBases(db, principal.userId, baseIds);
  const issues: Issue[] = scopeIssues(grant.scopes);
  spaceIds.forEach((id, at) => {
    if (!ownSpaces.has(id) && kept?.spaceIds?.includes(id) !== true)
      issues.push({ path: `spaceIds[${at}]`, message: `You have no space ${id}` });
  });
  baseIds.forEach((id, at) => {
    if (!ownBases.has(id) && kept?.baseIds?.includes(id) !== true)
      issues.push({ path: `baseIds[${at}]`, message: `You have no base ${id}` });
  });
  if (issues.length > 0) throw invalid(issues);
  await demandCovered(db, principal, grant);
};

/** A limited token can neither make, nor see, nor change a token that may do more than itself. */
export const demandCovered = async (db: Queryable, principal: Principal, grant: Grant): Promise<void> => {
  const spaceOf =
    principal.reach === null ? new Map<string, string>() : await selectSpaceOfBases(db, grant.baseIds ?? []);
  const excess = excessOf(principal, grant, spaceOf);
  if (excess !== undefined)
    throw forbidden(`This token cannot manage tokens with ${excess}, which it does not have itself`);
};
