// rowhouse space …: spaces and their plans, for the operator.
import { type PlanChange, storedStatuses, type SubscriptionView } from '@rowhouse/contract/billing.ts';
import { readPlans, unlimited } from '../catalog/plans.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/db.ts';
import { getSubscription } from '../domain/billing/get-subscription.ts';
import { setSpacePlan } from '../domain/billing/set-space-plan.ts';
import { selectRetiredProducts } from '../domain/plan/product.sql.ts';
import { type Command, type Given, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { printRows } from './print.ts';

const wordOf = <T extends string>(text: string | undefined, words: readonly T[], option: string): T | undefined => {
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (word === undefined) throw new UsageError(`--${option} must be one of ${words.join(', ')}`);
  return word;
};

const timeOf = (text: string | undefined, option: string): string | undefined => {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`--${option} must be a date, as 2030-12-31 or 2030-12-31T12:00:00Z`);
  return date.toISOString();
};

const seatsOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--seats must be a whole number from 1');
  return Number(text);
};

const changeOf = ({ option, chosen }: Given): PlanChange => {
  const change = {
    level: option('level'),
    interval: wordOf(option('interval'), ['month', 'year'] as const, 'interval'),
    quantity: seatsOf(option('seats')),
    status: wordOf(option('status'), storedStatuses, 'status'),
    currentPeriodStart: timeOf(option('period-start'), 'period-start'),
    currentPeriodEnd: timeOf(option('period-end'), 'period-end'),
    trialEnd: timeOf(option('trial-end'), 'trial-end'),
    cancelAt: chosen('keep') ? null : timeOf(option('cancel-at'), 'cancel-at'),
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as PlanChange;
};

const show = ({ base }: SubscriptionView, json: boolean): void => {
  const row = {
    level: base.level,
    status: base.status,
    interval: base.interval,
    seats: String(base.quantity),
    'period start': base.currentPeriodStart,
    'period end': base.currentPeriodEnd,
    'cancelled at': base.cancelAt ?? '-',
    rows: base.limit.maxRows === unlimited ? 'unlimited' : String(base.limit.maxRows),
  };
  printRows([row], json, '');
};

const plan: Command = {
  name: 'space plan',
  summary: 'Show the plan of a space, or set it',
  positionals: [{ name: 'space', meaning: 'Id of the space: spc…' }],
  options: {
    level: { value: 'level', meaning: 'A level of the file of plans: free, plus, pro, enterprise' },
    interval: { value: 'interval', meaning: 'month or year' },
    seats: { value: 'number', meaning: 'How many people may have a role that takes a seat' },
    status: { value: 'status', meaning: storedStatuses.join(', ') },
    'period-start': { value: 'date', meaning: 'Begin of the current period' },
    'period-end': { value: 'date', meaning: 'End of the current period' },
    'trial-end': { value: 'date', meaning: 'End of the trial' },
    'cancel-at': { value: 'date', meaning: 'When the space falls back to the free plan' },
    keep: { meaning: 'Take a cancellation back' },
    json: { meaning: 'Print JSON' },
  },
  async run(given) {
    const change = changeOf(given);
    const spaceId = given.argument('space');
    const config = readConfig(process.env);
    const plans = readPlans(config);
    const work = async (db: Db): Promise<SubscriptionView> => {
      const services = { db, plans, now: () => new Date() };
      plans.remember(await selectRetiredProducts(db));
      return Object.keys(change).length === 0
        ? getSubscription(services, spaceId)
        : setSpacePlan(services, spaceId, change);
    };
    show(await withDatabase(config, work), given.chosen('json'));
  },
};

export const spaceCommands: readonly Command[] = [plan];
