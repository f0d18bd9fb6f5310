// The plans of this instance, from the file that ROWHOUSE_PLANS names or from plans.json beside this one.
// A product that is no longer in the file stays known for as long as the database remembers it, because
// subscriptions may rest on it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlanLimit, planLimit } from '@rowhouse/contract/plan.ts';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { SettingError } from '../config.ts';
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

export interface Plans {
  /** On offer, from the smallest to the largest. */
  readonly products: readonly Product[];
  /** How long a space keeps its plan while a payment is overdue. */
  readonly graceDays: number;
  readonly free: Product;
  /** Also of a level that is no longer on offer. Undefined: nobody ever heard of it. */
  find(level: string): Product | undefined;
  /** What applies to a level; that of `free` when it is unknown. */
  limitOf(level: string): PlanLimit;
  /** A price on offer. */
  price(priceId: string): { product: Product; price: Price } | undefined;
  /** Takes over what the database remembers of products that are no longer on offer. */
  remember(retired: readonly Product[]): void;
}

const duplicateOf = (words: readonly string[]): string | undefined => words.find((word, at) => words.indexOf(word) !== at);

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
  return undefined;
};

export const createPlans = (given: unknown): Plans => {
  const check = Compile(file);
  if (!check.Check(given)) {
    const [first] = check.Errors(given);
    const place = (first?.instancePath ?? '').replace(/^\//, '').replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
    throw new SettingError(`${place === '' ? 'it' : place} ${first?.message ?? 'is wrong'}`);
  }
  const fault = faultOf(given);
  if (fault !== undefined) throw new SettingError(fault);
  const { products, graceDays } = given;
  const known = new Map(products.map((item) => [item.level, item]));
  const free = known.get('free') as Product;
  const prices = new Map(products.flatMap((item) => item.prices.map((one) => [one.id, { product: item, price: one }] as const)));
  return {
    products,
    graceDays,
    free,
    find: (level) => known.get(level),
    limitOf: (level) => (known.get(level) ?? free).limit,
    price: (priceId) => prices.get(priceId),
    remember(retired) {
      for (const item of retired) if (!known.has(item.level)) known.set(item.level, item);
    },
  };
};

/** A wrong file stops the start with one line. */
export const readPlans = (path: string | null): Plans => {
  const from = path ?? join(serverRoot(), 'catalog/plans.json');
  try {
    return createPlans(JSON.parse(readFileSync(from, 'utf8')));
  } catch (error) {
    throw new SettingError(`ROWHOUSE_PLANS: ${from}: ${(error as Error).message}`);
  }
};
