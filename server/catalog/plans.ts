// The plans of this instance: none, the four of plans.json beside this file, or those of a file of the operator.
// A product that is no longer in the file stays known for as long as the database remembers it, because
// subscriptions may rest on it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlanLimit, planLimit } from '@rowhouse/contract/plan.ts';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Config } from '../config.ts';
import { SettingError } from '../config-value.ts';
import { serverRoot } from '../db/root.ts';

const name = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
const amount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

const price = Type.Object(
  {
    id: name,
    interval: Type.Enum(['month', 'year']),
    intervalCount: Type.Integer({ minimum: 1, maximum: 36 }),
    unitAmount: amount,
    currency: Type.String({ pattern: '^[a-z]{3}$' }),
    stripePriceId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false },
);

const product = Type.Object(
  {
    id: name,
    level: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    trialPeriodInDays: Type.Integer({ minimum: 0, maximum: 730 }),
    giftCredit: amount,
    creditSubscribeEnable: Type.Boolean(),
    limit: Type.Object(planLimit.properties, { additionalProperties: false }),
    /** On disk, for all bases of a space with their history. A number of our own, so it is not among the limits that Teable's clients know. */
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    prices: Type.Array(price, { minItems: 1, maxItems: 100 }),
  },
  { additionalProperties: false },
);

const file = Type.Object(
  {
    graceDays: Type.Integer({ minimum: 0, maximum: 365 }),
    products: Type.Array(product, { minItems: 1, maxItems: 100 }),
  },
  { additionalProperties: false },
);

export type Price = Static<typeof price>;
export type Product = Static<typeof product>;

/** In a limit it means that there is none. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/** The limiter counts in steps of a tenth, in 32-bit columns. */
const maxRate = 1_000_000;

export interface Plans {
  /** Without plans every space may use everything, and what the database knows of subscriptions rests. */
  readonly areOn: boolean;
  /** On offer, from the smallest to the largest. */
  readonly products: readonly Product[];
  /** How long a space keeps its plan while a payment is overdue. */
  readonly graceDays: number;
  /** What a space has that subscribed to nothing, or whose subscription is not in force. */
  readonly fallback: Product;
  /** Also of a level that is no longer on offer. Undefined: nobody ever heard of it. */
  find(level: string): Product | undefined;
  /** What applies to a level; that of the fallback when it is unknown. */
  limitOf(level: string): PlanLimit;
  /** Bytes on disk, the same way. */
  bytesOf(level: string): number;
  /** A price on offer. */
  price(priceId: string): { product: Product; price: Price } | undefined;
  /** Takes over what the database remembers of products that are no longer on offer. */
  remember(retired: readonly Product[]): void;
}

const duplicateOf = (words: readonly string[]): string | undefined =>
  words.find((word, at) => words.indexOf(word) !== at);

const faultOf = ({ products }: Static<typeof file>): string | undefined => {
  const level = duplicateOf(products.map((item) => item.level));
  if (level !== undefined) return `two products have the level "${level}"`;
  const productId = duplicateOf(products.map((item) => item.id));
  if (productId !== undefined) return `two products have the id "${productId}"`;
  const priceId = duplicateOf(products.flatMap((item) => item.prices.map(({ id }) => id)));
  if (priceId !== undefined) return `two prices have the id "${priceId}"`;
  const free = products.find((item) => item.level === 'free');
  if (free === undefined) return 'there is no product of the level "free", which every new space has';
  if (free.prices.some(({ unitAmount }) => unitAmount !== 0)) return 'the prices of the level "free" must be 0';
  if (!free.prices.some(({ interval }) => interval === 'month')) return 'the level "free" needs a price by the month';
  const fast = products.find(({ limit }) => limit.apiRateLimit > maxRate && limit.apiRateLimit !== unlimited);
  if (fast !== undefined)
    return `apiRateLimit of the level "${fast.level}" must be at most ${maxRate}, or ${unlimited} for no limit`;
  return undefined;
};

export const createPlans = (given: unknown): Plans => {
  const check = Compile(file);
  if (!check.Check(given)) {
    const [first] = check.Errors(given);
    const place = (first?.instancePath ?? '')
      .replace(/^\//, '')
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.');
    throw new SettingError(`${place === '' ? 'it' : place} ${first?.message ?? 'is wrong'}`);
  }
  const fault = faultOf(given);
  if (fault !== undefined) throw new SettingError(fault);
  const { products, graceDays } = given;
  const known = new Map(products.map((item) => [item.level, item]));
  const fallback = known.get('free') as Product;
  const prices = new Map(
    products.flatMap((item) => item.prices.map((one) => [one.id, { product: item, price: one }] as const)),
  );
  return {
    areOn: true,
    products,
    graceDays,
    fallback,
    find: (level) => known.get(level),
    limitOf: (level) => (known.get(level) ?? fallback).limit,
    bytesOf: (level) => (known.get(level) ?? fallback).maxBytes ?? unlimited,
    price: (priceId) => prices.get(priceId),
    remember(retired) {
      for (const item of retired) if (!known.has(item.level)) known.set(item.level, item);
    },
  };
};

/** Every switch on, every number without a limit. */
const everything = Object.fromEntries(
  Object.entries(planLimit.properties).map(([name, schema]) => [name, schema.type === 'boolean' ? true : unlimited]),
) as PlanLimit;

/** Nobody turned plans on: one product that costs nothing and limits nothing. */
const noPlans = (): Plans => {
  const price = (interval: Price['interval']): Price => ({
    id: `price_unlimited_${interval}`,
    interval,
    intervalCount: 1,
    unitAmount: 0,
    currency: 'usd',
  });
  const product: Product = {
    id: 'prod_unlimited',
    level: 'enterprise',
    trialPeriodInDays: 0,
    giftCredit: 0,
    creditSubscribeEnable: false,
    limit: everything,
    prices: [price('month'), price('year')],
  };
  return {
    areOn: false,
    products: [product],
    graceDays: 0,
    fallback: product,
    find: () => product,
    limitOf: () => everything,
    bytesOf: () => unlimited,
    price: (priceId) => {
      const found = product.prices.find(({ id }) => id === priceId);
      return found === undefined ? undefined : { product, price: found };
    },
    remember: () => undefined,
  };
};

type Needs = Pick<Config, 'plansFile' | 'stripeSecretKey' | 'stripeWebhookSecret'>;

/** A wrong file stops the start with one line. Stripe without a file of plans sells the four that come along. */
export const readPlans = ({ plansFile, stripeSecretKey, stripeWebhookSecret }: Needs): Plans => {
  if (plansFile === null && stripeSecretKey === null && stripeWebhookSecret === null) return noPlans();
  const from = plansFile === null || plansFile === 'default' ? join(serverRoot(), 'catalog/plans.json') : plansFile;
  try {
    return createPlans(JSON.parse(readFileSync(from, 'utf8')));
  } catch (error) {
    throw new SettingError(`ROWHOUSE_PLANS: ${from}: ${(error as Error).message}`);
  }
};
