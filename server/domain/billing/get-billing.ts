import type { BillingView } from '@rowhouse/contract/billing.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import { unlimited } from '../../catalog/plans.ts';
import type { Context } from '../../context.ts';
import { selectBytes } from '../plan/bytes.sql.ts';
import { selectUsage } from '../plan/usage.sql.ts';
import { getCredit } from './get-credit.ts';
import { getSubscription } from './get-subscription.ts';
import { showDetail } from './show-detail.ts';

export const demandOwner = ({ access }: Context, spaceId: string): void => {
  if (access.role !== 'owner')
    throw forbidden(`The role ${access.role} is not allowed to see the billing of ${spaceId}: only owners are`);
};

export const getBilling = async (context: Context, spaceId: string): Promise<BillingView> => {
  demandOwner(context, spaceId);
  const { base } = await getSubscription(context, spaceId);
  const { amount, usedAmount } = await getCredit(context, spaceId);
  const maxDiskSize = context.plans.bytesOf(base.level);
  return {
    spaceId,
    plan: {
      level: base.level,
      interval: base.interval,
      quantity: base.quantity,
      unitAmount: base.unitAmount,
      usage: { ...(await selectUsage(context.db, spaceId)), diskSize: await selectBytes(context.db, spaceId) },
      ...(maxDiskSize === unlimited ? {} : { maxDiskSize }),
      limit: base.limit,
      currentPeriodStart: base.currentPeriodStart,
      currentPeriodEnd: base.currentPeriodEnd,
      ...(base.cancelAt === undefined ? {} : { cancelAt: base.cancelAt }),
      status: base.status,
    },
    credit: { amount, usedAmount },
    detail: await showDetail(context, spaceId),
  };
};
