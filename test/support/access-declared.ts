// What the contract alone says about who may call an endpoint, to hold against the table that is written by hand.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { type Action, allows, type Role } from '@rowhouse/contract/permission.ts';
import {
  accessTable,
  expectedOutcome,
  type Outcome,
  type PrincipalName,
  principals,
  type Row,
} from './access-table.ts';

const unidentified: readonly string[] = ['nobody', 'malformed', 'unknown token', 'expired token'];
const ofOwner: readonly string[] = ['session', 'fewest scopes', 'elsewhere', 'application', 'lacks a scope'];

const byRole = (action: Action, role: Role): Outcome => (allows(role, action) ? 'ok' : 403);

/** Undefined where the contract does not say: what a limited token may is in the scopes. */
export const declaredOutcome = ({ access }: Declaration, name: PrincipalName): Outcome | undefined => {
  if (access.on === 'public') return 'ok';
  if (unidentified.includes(name)) return 401;
  if (access.on === 'admin') return name === 'administrator' && access.session !== true ? 'ok' : 403;
  if (ofOwner.includes(name)) return undefined;
  if (access.on === 'user') return name === 'limited administrator' ? undefined : 'ok';
  if (name === 'stranger' || name === 'administrator') return 404;
  if (name === 'limited administrator') return undefined;
  if (access.ownersOnly === true && name !== 'owner')
    return access.on === 'space' && name.startsWith('base ') ? 404 : 403;
  if (!name.startsWith('base ')) return byRole(access.action, name as Role);
  return access.on === 'space' ? 404 : byRole(access.action, name.slice('base '.length) as Role);
};

/** The scope that the contract declares; the operation may ask for more. */
const declaredScope = ({ access }: Declaration): Action | undefined => {
  if (access.on === 'public' || access.on === 'admin') return undefined;
  return access.on === 'user' ? access.scope : access.action;
};

/** Where the table would let through whom the contract refuses, or leaves out a scope that it declares. */
const looserThanDeclared = (endpoint: Declaration, row: Row): string[] => {
  const scope = declaredScope(endpoint);
  const looser = principals.filter(
    (name) => expectedOutcome(row, name) === 'ok' && (declaredOutcome(endpoint, name) ?? 'ok') !== 'ok',
  );
  return [
    ...looser.map((name) => `${endpoint.name} is open to ${name} in the table, closed in the contract`),
    ...(scope === undefined || row[2].includes(scope)
      ? []
      : [`${endpoint.name} wants the scope ${scope} in the contract, not in the table`]),
  ];
};

/** Where the table by hand says less than the contract, or nothing. */
export const compareWithContract = (endpoints: readonly Declaration[]): string[] =>
  endpoints.flatMap((endpoint) => {
    const row = accessTable[endpoint.name];
    return row === undefined ? [`${endpoint.name} has no row in the access table`] : looserThanDeclared(endpoint, row);
  });
