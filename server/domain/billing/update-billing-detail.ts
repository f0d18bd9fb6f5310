import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { updateBillingDetail as endpoint } from '@rowhouse/contract/billing.ts';
import type { Context } from '../../context.ts';
import { type Detail, saveDetail } from './account.sql.ts';
import { showDetail } from './show-detail.ts';

export const updateBillingDetail = async (
  context: Context,
  spaceId: string,
  input: Partial<Detail>,
): Promise<ResponseOf<typeof endpoint>> => {
  await saveDetail(context.db, spaceId, input);
  return showDetail(context, spaceId);
};
