import * as contract from '@rowhouse/contract/billing.ts';
import type { Context } from '../../context.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { changeCredit } from './change-credit.ts';
import { createCheckout } from './create-checkout.ts';
import { createPortal } from './create-portal.ts';
import type { Credit } from './credit.sql.ts';
import { demandOwner, getBilling } from './get-billing.ts';
import { getCredit } from './get-credit.ts';
import { getSubscription } from './get-subscription.ts';
import { getUsageHistory } from './get-usage-history.ts';
import { getSubscriptionSummary, listSubscriptionSummaries } from './list-subscription-summaries.ts';
import { receiveStripeEvent } from './receive-stripe-event.ts';
import { setSpacePlan } from './set-space-plan.ts';
import { updateBillingDetail } from './update-billing-detail.ts';

const withLeft = ({ amount, usedAmount }: Credit): Credit & { leftAmount: number } => ({
  amount,
  usedAmount,
  leftAmount: amount - usedAmount,
});

const getCreditSummary = async (context: Context, spaceId: string): Promise<Credit & { leftAmount: number }> => {
  demandOwner(context, spaceId);
  return withLeft(await getCredit(context, spaceId));
};

export const billingRoutes: Route[] = [
  route(contract.getSubscription, (context, { params }) => getSubscription(context, params.spaceId)),
  route(contract.getSubscriptionSummary, (context, { params }) => getSubscriptionSummary(context, params.spaceId)),
  route(contract.listSubscriptionSummaries, (context) => listSubscriptionSummaries(context)),
  route(contract.getBilling, (context, { params }) => getBilling(context, params.spaceId)),
  route(contract.getUsageHistory, (context, { params, query }) =>
    getUsageHistory(context, params.spaceId, query.days ?? 30),
  ),
  route(contract.getCreditSummary, (context, { params }) => getCreditSummary(context, params.spaceId)),
  route(contract.updateBillingDetail, (context, { params, body }) =>
    updateBillingDetail(context, params.spaceId, body),
  ),
  route(contract.createCheckout, (context, { params, body }) => createCheckout(context, params.spaceId, body)),
  route(contract.createPortal, (context, { params, body }) => createPortal(context, params.spaceId, body)),
  route(contract.cancelSubscription, (context, { params }) => cancelSubscription(context, params.spaceId)),
  route(contract.receiveStripeEvent, (context, { body, headers }) =>
    receiveStripeEvent(context, body, headers['stripe-signature'] as string | undefined),
  ),
  route(contract.setSpacePlan, (context, { params, body }) => setSpacePlan(context, params.spaceId, body)),
  route(contract.changeSpaceCredit, async (context, { params, body }) => {
    const { kind, amount, reason, reference = null } = body;
    return withLeft(
      await changeCredit(context, {
        spaceId: params.spaceId,
        kind,
        amount,
        reason,
        reference,
        createdBy: context.principal.userId,
      }),
    );
  }),
];
