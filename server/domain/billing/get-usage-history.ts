import type { UsageHistory } from '@rowhouse/contract/billing.ts';
import type { Context } from '../../context.ts';
import { daysBefore } from '../plan/period.ts';
import { selectSamples } from '../plan/usage-sample.sql.ts';
import { selectUsage } from '../plan/usage.sql.ts';
import { demandOwner } from './get-billing.ts';

/** The ends of the days before, and today as it is now. */
export const getUsageHistory = async (context: Context, spaceId: string, days: number): Promise<UsageHistory> => {
  demandOwner(context, spaceId);
  const { db, now } = context;
  const today = daysBefore(now(), 0);
  const past = await selectSamples(db, spaceId, daysBefore(now(), days - 1), today);
  return { days: [...past, { day: today, ...(await selectUsage(db, spaceId)) }] };
};
