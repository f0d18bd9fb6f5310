// Who may give, change and take away which roles.
import { rank, type Role } from '@rowhouse/contract/permission.ts';

/** Nobody gives more than they have themselves. */
export const mayGive = (own: Role, given: Role): boolean => rank(given) >= rank(own);

/** Owners manage everyone, others only those below themselves; everyone may step down or leave. */
export const mayManage = (own: Role, theirs: Role, isSelf: boolean): boolean =>
  isSelf || own === 'owner' || rank(own) < rank(theirs);

/** Owners, creators and editors take a seat of the plan. */
export const isBillable = (role: Role): boolean => rank(role) <= rank('editor');
