import { type BillingView, cancelSubscription, createPortal } from '@rowhouse/contract/billing.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { billingQuery, productsQuery } from './billing-query.ts';
import { bytesText, countText, dayText, moneyText, statusAdvice, statusWords } from './plan-words.ts';
import { UsageMeter } from './usage-meter.tsx';

/** In which currency a price of the catalogue is; all are in one, as far as the plan can tell. */
const useCurrency = (level: string, interval: string): string | undefined => {
  const products = useQuery(productsQuery).data ?? [];
  const prices = [...products.filter((product) => product.level === level), ...products].flatMap((product) => product.prices);
  return (prices.find((price) => price.interval === interval) ?? prices[0])?.currency;
};

export const PlanSection = ({ billing: { spaceId, plan, credit } }: { billing: BillingView }) => {
  const { usage, limit, status } = plan;
  const isPaid = plan.unitAmount > 0;
  const currency = useCurrency(plan.level, plan.interval);
  const [cancelling, setCancelling] = useState(false);
  const portal = useMutation({
    mutationFn: () => call(createPortal, { params: { spaceId }, body: { returnUrl: window.location.href } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const isWell = status === 'active' || status === 'trialing';

  return (
    <Section
      title="Plan and usage"
      lead={
        <>
          <strong className="font-medium text-ink capitalize">{plan.level}</strong>
          {isPaid && currency !== undefined && `, ${countText(plan.quantity)} ${plan.quantity === 1 ? 'seat' : 'seats'} at ${moneyText(plan.unitAmount, currency)} a ${plan.interval}`}
          {plan.cancelAt === undefined ? `. This period ends on ${dayText(plan.currentPeriodEnd)}.` : `. Cancelled: it ends on ${dayText(plan.cancelAt)}.`}
        </>
      }
      actions={<span className={classNames('rounded-full px-2.5 py-0.5 text-[13px] font-medium', isWell ? 'bg-accent-soft text-accent' : 'bg-warn-soft text-warn')}>{statusWords[status] ?? status}</span>}
    >
      {statusAdvice[status] !== undefined && <p className="mb-5 rounded-lg bg-warn-soft px-3 py-2.5 text-warn">{statusAdvice[status]}</p>}
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <UsageMeter label="Records" used={usage.numRows} limit={limit.maxRows} text={countText} />
        <UsageMeter label="Attachments" used={usage.attachmentSize} limit={limit.maxSizeAttachments} text={bytesText} />
        <UsageMeter label="People" used={usage.numCollaborators} text={countText} note={isPaid ? undefined : 'no limit'} />
        <UsageMeter label="Database connections" used={usage.numDatabaseConnections} limit={limit.maxNumDatabaseConnections} text={countText} />
      </div>
      <p className="mt-5 text-[13px] text-ink-faint">
        History is shown for {countText(limit.maxRevisionHistoryDays)} days; programs may send {countText(limit.apiRateLimit)} requests a second.
        {credit.amount > 0 && ` Credit: ${countText(credit.amount - credit.usedAmount)} of ${countText(credit.amount)} left.`}
      </p>
      {isPaid && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="small" busy={portal.isPending} onClick={() => portal.mutate()}>
            Bills and ways to pay
          </Button>
          {plan.cancelAt === undefined && (
            <Button size="small" look="ghost" onClick={() => setCancelling(true)}>
              Cancel the subscription
            </Button>
          )}
        </div>
      )}
      <div className="mt-3 empty:hidden">
        <ProblemNote error={portal.error} />
      </div>
      {cancelling && (
        <ConfirmDialog
          title={`Cancel the plan ${plan.level}?`}
          description={`It stays in force until ${dayText(plan.currentPeriodEnd)}; then the limits of the free plan apply. Nothing is deleted.`}
          action="Cancel the subscription"
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
