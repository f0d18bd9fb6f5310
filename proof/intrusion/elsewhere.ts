// One more instance, for all attacks that need another one or other settings: only those who are invited may sign up, and plans are paid for.
import { type FakeStripe, startFakeStripe, webhookSecret } from '../../test/support/stripe.ts';
import type { Ground } from '../ground.ts';
import type { Scene } from './attack.ts';

interface Elsewhere {
  ground: Ground;
  stripe: FakeStripe;
}

const opened = new WeakMap<Scene, Promise<Elsewhere>>();

const openElsewhere = async ({ open }: Scene): Promise<Elsewhere> => {
  const stripe = await startFakeStripe();
  return {
    stripe,
    ground: await open({
      ROWHOUSE_SIGNUP: 'invited',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
    }),
  };
};

export const elsewhereOf = (scene: Scene): Promise<Elsewhere> => {
  const found = opened.get(scene) ?? openElsewhere(scene);
  opened.set(scene, found);
  return found;
};
