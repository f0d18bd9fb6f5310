import { conflict } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { selectStripeCustomer } from './account.sql.ts';
import { readAddress } from './create-checkout.ts';
import { atStripe, demandStripe } from './stripe.ts';

export const createPortal = async (
  { config, db }: Context,
  spaceId: string,
  input: { returnUrl: string },
): Promise<{ url: string }> => {
  const { stripe } = demandStripe(config);
  const return_url = readAddress(input.returnUrl, 'returnUrl');
  const customer = await selectStripeCustomer(db, spaceId);
  if (customer === null) throw conflict('This space has never subscribed to anything: begin with a checkout');
  const { url } = await atStripe(stripe.billingPortal.sessions.create({ customer, return_url }));
  return { url };
};
