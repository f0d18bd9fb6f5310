import type { Context } from '../../context.ts';
import { type Detail, saveDetail, selectDetail } from './account.sql.ts';

export const updateBillingDetail = async ({ db }: Context, spaceId: string, input: Partial<Detail>): Promise<Detail> => {
  await saveDetail(db, spaceId, input);
  return selectDetail(db, spaceId);
};
