import { type BillingView, cancelSubscription, createPortal } from '@rowhouse/contract/billing.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { billingQuery, productsQuery } from './queries.ts';
import { countText, dayText, historyText, moneyText, requestText, statusAdvice, statusWords } from './plan-words.ts';
import { UsageMeters } from './usage-meters.tsx';

/** In which currency a price of the catalogue is; all are in one, as far as the plan can tell. */
const useCurrency = (level: string, interval: string): string | undefined => {
  const products = useQuery(productsQuery).data ?? [];
  const prices = [...products.filter((product) => product.level === level), ...products].flatMap(
    (product) => product.prices,
  );
  return (prices.find((price) => price.interval === interval) ?? prices[0])?.currency;
};

export const PlanSection = ({ billing: { spaceId, plan, credit } }: { billing: BillingView }) => {
  const { limit, status } = plan;
  const isPaid = plan.unitAmount > 0;
  const currency = useCurrency(plan.level, plan.interval);
  const [cancelling, setCancelling] = useState(false);
  const portal = useMutation({
    mutationFn: async () => {
      const leadOn = fromHere();
      const { url } = await call(createPortal, { params: { spaceId }, body: { returnUrl: window.location.href } });
      await leadOn(() => window.location.assign(url));
    },
  });
  const isWell = status === 'active' || status === 'trialing';

  return (
    <Section
      title="Plan and usage"
      lead={
        <>
          <strong className="font-medium text-ink capitalize">{plan.level}</strong>
          {isPaid &&
            currency !== undefined &&
            `, ${countText(plan.quantity)} ${plan.quantity === 1 ? 'seat' : 'seats'} at ${moneyText(plan.unitAmount, currency)} a ${plan.interval}`}
          {plan.cancelAt === undefined
            ? `. This period ends on ${dayText(plan.currentPeriodEnd)}.`
            : `. Cancelled: it ends on ${dayText(plan.cancelAt)}.`}
        </>
      }
      actions={
        <span
          className={classNames(
            'rounded-full px-2.5 py-0.5 text-[13px] font-medium',
            isWell ? 'bg-accent-soft text-accent' : 'bg-warn-soft text-warn',
          )}
        >
          {statusWords[status] ?? status}
        </span>
      }
    >
      {statusAdvice[status] !== undefined && (
        <p className="mb-5 rounded-lg bg-warn-soft px-3 py-2.5 text-warn">{statusAdvice[status]}</p>
      )}
      <UsageMeters plan={plan} />
      <p className="mt-5 text-[13px] text-ink-faint">
        {historyText(limit.maxRevisionHistoryDays)} {requestText(limit.apiRateLimit)}
        {credit.amount > 0 &&
          ` Credit: ${countText(credit.amount - credit.usedAmount)} of ${countText(credit.amount)} left.`}
      </p>
      {isPaid && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="small" busy={portal.isPending} onClick={() => portal.mutate()}>
            Invoices and payment methods
          </Button>
          {plan.cancelAt === undefined && (
            <Button size="small" look="ghost" onClick={() => setCancelling(true)}>
              Cancel subscription
            </Button>
          )}
        </div>
      )}
      <div className="mt-3 empty:hidden">
        <ProblemNote error={portal.error} />
      </div>
      {cancelling && (
        <ConfirmDialog
          title={`Cancel the ${plan.level} plan?`}
          description={`It stays active until ${dayText(plan.currentPeriodEnd)}. After that, the limits of the free plan apply. Nothing is deleted.`}
          action="Cancel subscription"
          onClose={() => setCancelling(false)}
          onConfirm={async () => {
            await call(cancelSubscription, { params: { spaceId } });
            await queryClient.invalidateQueries({ queryKey: billingQuery(spaceId).queryKey });
          }}
        />
      )}
    </Section>
  );
};
