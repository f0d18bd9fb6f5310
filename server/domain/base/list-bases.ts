import type { Role } from '@rowhouse/contract/permission.ts';
import { reaches } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { type Base, selectBases, selectSpaceBases } from './base.sql.ts';
import { showBase, type ShownBase } from './show-base.ts';

/** Every base the caller has a role on, as far as the token reaches. */
export const listBases = async ({ db, principal }: Context): Promise<ShownBase[]> =>
  (await selectBases(db, principal.userId)).filter((row) => reaches(principal, row.spaceId, row.id)).map(showBase);

export const listSpaceBases = async ({ db, principal }: Context, spaceId: string): Promise<ShownBase[]> =>
  (await selectSpaceBases(db, principal.userId, spaceId)).map(showBase);

interface SharedBase extends Base {
  spaceName: string;
  role: Role;
  collaboratorType: 'base';
  isBound?: true;
}

/** The bases that were shared on their own, with someone who has no role on their space. */
export const listSharedBases = async ({ db, principal }: Context): Promise<SharedBase[]> =>
  (await selectBases(db, principal.userId))
    .filter((row) => row.spaceRole === null && reaches(principal, row.spaceId, row.id))
    .map(({ id, name, icon, spaceId, spaceName, baseRole, isBound }) => ({
      id,
      name,
      icon,
      spaceId,
      spaceName,
      role: baseRole as Role,
      collaboratorType: 'base',
      ...(isBound ? { isBound: true as const } : {}),
    }));
