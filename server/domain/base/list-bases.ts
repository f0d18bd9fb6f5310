import { reaches } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { selectBases } from './base.sql.ts';
import { type ShownBase, showBase } from './show-base.ts';

/** Every base the caller has a role on, as far as the token reaches. */
export const listBases = async ({ db, principal }: Context): Promise<ShownBase[]> =>
  (await selectBases(db, principal.userId)).filter((row) => reaches(principal, row.spaceId, row.id)).map(showBase);
