// Stands in for Stripe: an HTTP server that answers what the SDK asks, from memory, and signs events as Stripe does.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const webhookSecret = 'whsec_test';

export interface FakeSubscription {
  id: string;
  status: string;
  spaceId: string;
  priceId: string;
  quantity: number | null;
  created: number;
  periodStart: number;
  periodEnd: number;
  trialEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** What is really paid; by default what the plan `pro` costs by the month. */
  price?: {
    id?: string;
    unit_amount?: number | null;
    currency?: string;
    recurring?: { interval: string; interval_count: number } | null;
  };
  /** Further things that the subscription pays for. */
  further?: object[];
}

const shown = (it: FakeSubscription): object => ({
  id: it.id,
  object: 'subscription',
  status: it.status,
  customer: 'cus_1',
  created: it.created,
  start_date: it.created,
  cancel_at: null,
  cancel_at_period_end: it.cancelAtPeriodEnd,
  trial_start: it.trialEnd === null ? null : it.created,
  trial_end: it.trialEnd,
  metadata: { spaceId: it.spaceId, priceId: it.priceId },
  items: {
    object: 'list',
    data: [
      {
        object: 'subscription_item',
        quantity: it.quantity,
        current_period_start: it.periodStart,
        current_period_end: it.periodEnd,
        price: {
          id: 'price_at_stripe',
          object: 'price',
          unit_amount: 2_400,
          currency: 'usd',
          recurring: { interval: 'month', interval_count: 1 },
          ...it.price,
        },
      },
      ...(it.further ?? []),
    ],
  },
});

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
};

export interface FakeStripe {
  url: string;
  subscriptions: Map<string, FakeSubscription>;
  requests: { path: string; body: Record<string, string> }[];
  /** Headers and body of an event about a subscription. */
  event(type: string, subject: object): { body: string; headers: Record<string, string> };
  about(type: string, subscriptionId: string): { body: string; headers: Record<string, string> };
  /** Any text, signed as Stripe would. */
  signed(body: string): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
}

export const startFakeStripe = async (): Promise<FakeStripe> => {
  const subscriptions = new Map<string, FakeSubscription>();
  const requests: FakeStripe['requests'] = [];
  let made = 0;
  const answer = (path: string, body: URLSearchParams, method: string): { status: number; body: object } => {
    requests.push({ path: `${method} ${path}`, body: Object.fromEntries(body) });
    const id = /^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const found = subscriptions.get(id);
      if (found === undefined)
        return {
          status: 404,
          body: { error: { type: 'invalid_request_error', message: `No such subscription: '${id}'` } },
        };
      if (body.get('cancel_at_period_end') === 'true') found.cancelAtPeriodEnd = true;
      return { status: 200, body: shown(found) };
    }
    if (path === '/v1/customers') return { status: 200, body: { id: 'cus_1', object: 'customer' } };
    if (path === '/v1/checkout/sessions')
      return { status: 200, body: { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.example/cs_1' } };
    if (path === '/v1/billing_portal/sessions')
      return {
        status: 200,
        body: { id: 'bps_1', object: 'billing_portal.session', url: 'https://portal.example/bps_1' },
      };
    return {
      status: 404,
      body: { error: { type: 'invalid_request_error', message: `Unrecognized request URL (${path})` } },
    };
  };
  const server = createServer(async (request, response) => {
    const { status, body } = answer(
      (request.url ?? '').split('?')[0] as string,
      await bodyOf(request),
      request.method ?? '',
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const signed: FakeStripe['signed'] = (body) => {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
    return { body, headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' } };
  };
  const event: FakeStripe['event'] = (type, subject) => {
    made += 1;
    return signed(
      JSON.stringify({ id: `evt_${made}`, object: 'event', type, created: made, data: { object: subject } }),
    );
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscriptions,
    requests,
    event,
    signed,
    about(type, subscriptionId) {
      if (type.startsWith('invoice.'))
        return event(type, {
          object: 'invoice',
          id: 'in_1',
          parent: { subscription_details: { subscription: subscriptionId } },
        });
      if (type.startsWith('checkout.'))
        return event(type, { object: 'checkout.session', id: 'cs_1', subscription: subscriptionId });
      return event(type, shown(subscriptions.get(subscriptionId) as FakeSubscription));
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
