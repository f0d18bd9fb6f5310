import type { Context } from '../../context.ts';
import { selectSpaceBases } from './base.sql.ts';
import { type ShownBase, showBase } from './show-base.ts';

export const listSpaceBases = async ({ db, principal }: Context, spaceId: string): Promise<ShownBase[]> =>
  (await selectSpaceBases(db, principal.userId, spaceId)).map(showBase);
