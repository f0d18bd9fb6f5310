import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { updateBillingDetail } from '@rowhouse/contract/billing.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { selectDetail } from './account.sql.ts';

/** Whom bills go to. */
export const showDetail = async (
  { db, principal }: Context,
  spaceId: string,
): Promise<ResponseOf<typeof updateBillingDetail>> => {
  const { name, email } = await selectDetail(db, spaceId);
  return { name, email: shownEmail(principal, email) };
};
