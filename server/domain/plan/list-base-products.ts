import type { BaseProduct } from '@rowhouse/contract/plan.ts';
import type { Plans } from '../../catalog/plans.ts';

export const listBaseProducts = (plans: Plans): BaseProduct[] =>
  plans.products.map(({ id, level, trialPeriodInDays, giftCredit, creditSubscribeEnable, limit, prices }) => ({
    id,
    type: 'base',
    catalog: 'cloud',
    level,
    trialPeriodInDays,
    giftCredit,
    creditSubscribeEnable,
    limit,
    prices: prices.map((price) => ({
      id: price.id,
      productId: id,
      type: 'base',
      interval: price.interval,
      intervalCount: price.intervalCount,
      unitAmount: price.unitAmount,
      currency: price.currency,
    })),
  }));
