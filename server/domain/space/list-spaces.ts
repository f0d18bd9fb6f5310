import type { Context } from '../../context.ts';
import { type SpaceWithRole, selectSpaces } from './space.sql.ts';

export const listSpaces = ({ db, principal }: Context): Promise<SpaceWithRole[]> =>
  selectSpaces(db, principal.userId, principal.reach === null ? null : [...principal.reach.spaceIds]);
