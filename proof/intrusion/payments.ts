// A plan that nobody has paid for.
import { getSubscription } from '@rowhouse/contract/billing.ts';
import { person } from '../../test/support/people.ts';
import type { FakeSubscription } from '../../test/support/stripe.ts';
import { newSpace } from '../../test/support/workspace.ts';
import { type Attack, unless } from './attack.ts';
import { elsewhereOf } from './elsewhere.ts';

const now = Math.floor(Date.now() / 1_000);

const foreign: Partial<FakeSubscription>[] = [
  { price: { unit_amount: 1 } },
  { price: { currency: 'idr' } },
  { quantity: null },
  { quantity: 0 },
  { price: { recurring: { interval: 'month', interval_count: 36 } } },
];

export const attacks: Attack[] = [
  {
    name: 'a subscription to something else gives a plan, and signed nonsense breaks the webhook',
    async run(scene) {
      const { ground, stripe } = await elsewhereOf(scene);
      const deliver = async (event: { body: string; headers: Record<string, string> }): Promise<number> => {
        const answer = await fetch(`${ground.baseUrl}/billing/stripe/webhook`, { method: 'POST', ...event });
        await answer.text();
        return answer.status;
      };
      const found: string[] = [];
      for (const [at, parts] of foreign.entries()) {
        const owner = await person(ground);
        const spaceId = await newSpace(owner);
        const id = `sub_${at}`;
        stripe.subscriptions.set(id, {
          id,
          status: 'active',
          spaceId,
          priceId: 'price_pro_month',
          quantity: 100,
          created: now,
          periodStart: now,
          periodEnd: now + 86_400,
          trialEnd: null,
          cancelAtPeriodEnd: false,
          ...parts,
        });
        found.push(
          ...unless(
            (await deliver(stripe.about('customer.subscription.created', id))) === 200,
            `the event about ${JSON.stringify(parts)} was not taken`,
          ),
        );
        const { level } = (await owner.call(getSubscription, { params: { spaceId } })).body.base;
        found.push(...unless(level === 'free', `${JSON.stringify(parts)} gives ${level}`));
      }
      for (const text of ['null', '[]', '{"data":{"object":null}}'])
        found.push(...unless((await deliver(stripe.signed(text))) === 400, `signed ${text} is not a 400`));
      await stripe.close();
      return found;
    },
  },
];
