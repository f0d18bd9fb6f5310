import { notFound } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Context } from '../../context.ts';
import { selectSpace, selectSpaces, type SpaceWithRole } from './space.sql.ts';

export const getSpace = async ({ db, access }: Context, spaceId: string): Promise<SpaceWithRole> => {
  const space = await selectSpace(db, spaceId);
  if (space === undefined) throw notFound('Space', spaceId);
  return { id: space.id, name: space.name, role: access.role as Role };
};

export const listSpaces = ({ db, principal }: Context): Promise<SpaceWithRole[]> =>
  selectSpaces(db, principal.userId, principal.reach === null ? null : [...principal.reach.spaceIds]);
