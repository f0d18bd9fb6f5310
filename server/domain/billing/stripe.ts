// The payment provider, when its keys are set.
import { ApiError } from '@rowhouse/contract/error.ts';
import Stripe from 'stripe';
import type { Config } from '../../config.ts';

const clients = new WeakMap<Config, Stripe>();

const clientFor = (key: string, url: string): Stripe => {
  const { protocol, hostname, port } = new URL(url);
  return new Stripe(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    maxNetworkRetries: 1,
    timeout: 20_000,
    telemetry: false,
  });
};

/** 422 where the operator has not set up payments. */
export const demandStripe = (config: Config): { stripe: Stripe; webhookSecret: string } => {
  const { stripeSecretKey, stripeWebhookSecret, stripeUrl } = config;
  if (stripeSecretKey === null || stripeWebhookSecret === null) {
    throw new ApiError(
      'unprocessable_entity',
      'Payments are not set up on this server: its operator has to set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    );
  }
  const known = clients.get(config);
  const stripe = known ?? clientFor(stripeSecretKey, stripeUrl);
  if (known === undefined) clients.set(config, stripe);
  return { stripe, webhookSecret: stripeWebhookSecret };
};

/** What Stripe refuses is the caller's to mend; that it cannot be reached is not. */
export const atStripe = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new ApiError('unprocessable_entity', `Stripe refused it: ${error.message}`);
    if (error instanceof Stripe.errors.StripeError)
      throw new ApiError('service_unavailable', 'Stripe cannot be asked at the moment; try again shortly', undefined, {
        'retry-after': '5',
      });
    throw error;
  }
};
