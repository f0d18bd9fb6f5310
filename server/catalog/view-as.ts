// View as: somebody who manages the rights of a base reads it as another person or as one of its roles would. The same functions decide; the caller stays
// the one who acts. See docs/adr/0157-view-as.md.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { mightierOf, rank, type Role } from '@rowhouse/contract/permission.ts';
import type { Db, Tx } from '../db/db.ts';
import { type Access, boundRightsIn, can, isBound } from './access.ts';
import { boundRightsOf } from './bound.ts';
import type { Principal } from './principal.ts';
import { everything, type Rights } from './rights.ts';
import { selectViewedPerson, selectViewedRole } from './view-as.sql.ts';

interface Viewed {
  principal: Principal;
  role: Role;
  rights: Rights;
}

const asPerson = async (db: Db | Tx, { principal, role: own, ...access }: Access, userId: string): Promise<Viewed> => {
  const [baseId, spaceId] = [access.baseId as string, access.spaceId as string];
  const person = await selectViewedPerson(db, userId, { baseId, spaceId });
  const given = mightierOf((person?.spaceRole ?? null) as Role | null, (person?.baseRole ?? null) as Role | null);
  if (person === undefined || given === null) throw notFound('Member of this base', userId);
  const rights = await boundRightsIn(db, { ...person, baseId }, userId);
  const role = rights === undefined ? given : 'editor';
  if (own === null || rank(role) < rank(own))
    throw forbidden(`${JSON.stringify(person.name)} may do more here than you: nobody can view as somebody above them`);
  return {
    // Nothing that they are beyond this base.
    principal: { ...principal, userId, name: person.name, email: person.email, isAdmin: false, viewedBy: principal },
    role,
    rights: rights ?? everything,
  };
};

const asRole = async (db: Db | Tx, { principal, baseId }: Access, roleId: string): Promise<Viewed> => {
  const bound = await selectViewedRole(db, roleId, baseId as string);
  if (bound === undefined) throw notFound('Role', roleId);
  const rights = await boundRightsOf(db, baseId as string, bound, principal.userId);
  return { principal: { ...principal, viewedBy: principal }, role: 'editor', rights };
};

/** `as`: the id of a person or of a role. The decision still rests on the caller: it ends with their credential. */
export const viewedAccess = async (db: Db | Tx, access: Access, as: string): Promise<Access> => {
  if (isBound(access) || !can(access, 'base|authority_matrix_config'))
    throw forbidden('Only those who manage the rights of this base, and are not bound by them, can view it as others');
  const { principal, role, rights } = await (as.startsWith('usr') ? asPerson : asRole)(db, access, as);
  if (access.tableId !== null && rights.of(access.tableId) === null) throw notFound('Table', access.tableId);
  return { ...access, principal, role, rights: { ...rights, restsOn: access.principal.userId } };
};
