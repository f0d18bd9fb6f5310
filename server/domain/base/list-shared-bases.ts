import type { Role } from '@rowhouse/contract/permission.ts';
import { reaches } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { type Base, selectBases } from './base.sql.ts';

export interface SharedBase extends Base {
  spaceName: string;
  role: Role;
  collaboratorType: 'base';
}

/** The bases that were shared on their own, with someone who has no role on their space. */
export const listSharedBases = async ({ db, principal }: Context): Promise<SharedBase[]> =>
  (await selectBases(db, principal.userId))
    .filter((row) => row.spaceRole === null && reaches(principal, row.spaceId, row.id))
    .map(({ id, name, icon, spaceId, spaceName, baseRole }) => ({
      id, name, icon, spaceId, spaceName, role: baseRole as Role, collaboratorType: 'base',
    }));
