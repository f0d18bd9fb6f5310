import { getBilling } from '@rowhouse/contract/billing.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { BillingContactForm } from './billing-contact-form.tsx';
import { bytesText, countText, dayText, moneyText, statusWords } from './plan-words.ts';
import { PlanProducts } from './plan-products.tsx';
import { UsageMeter } from './usage-meter.tsx';

/** What the space has, what it uses, and what else there is. For owners. */
export const PlanSection = ({ spaceId }: { spaceId: string }) => {
  const billing = useQuery({ queryKey: ['billing', spaceId], queryFn: ({ signal }) => call(getBilling, { params: { spaceId }, signal }) });
  if (billing.data === undefined) return <Section title="Plan and usage">{billing.error === null ? <Loading /> : <ProblemNote error={billing.error} />}</Section>;
  const { plan, credit, detail } = billing.data;
  const { usage, limit } = plan;
  return (
    <>
      <Section
        title="Plan and usage"
        lead={
          <>
            The plan <strong className="font-medium text-ink capitalize">{plan.level}</strong> is {statusWords[plan.status] ?? plan.status}, until {dayText(plan.currentPeriodEnd)}
            {plan.unitAmount > 0 && `, ${plan.quantity} ${plan.quantity === 1 ? 'seat' : 'seats'} at ${moneyText(plan.unitAmount, 'usd')} a ${plan.interval}`}.
          </>
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <UsageMeter label="Records" used={usage.numRows} limit={limit.maxRows} text={countText} />
          <UsageMeter label="Attachments" used={usage.attachmentSize} limit={limit.maxSizeAttachments} text={bytesText} />
          <UsageMeter label="Database connections" used={usage.numDatabaseConnections} limit={limit.maxNumDatabaseConnections} text={countText} />
          <UsageMeter label="People" used={usage.numCollaborators} text={countText} />
        </div>
        <p className="mt-5 text-[13px] text-ink-faint">
          History is shown for {countText(limit.maxRevisionHistoryDays)} days; programs may send {countText(limit.apiRateLimit)} requests a second. Credit: {countText(credit.amount - credit.usedAmount)} of {countText(credit.amount)} left.
        </p>
      </Section>
      <PlanProducts spaceId={spaceId} level={plan.level} seats={Math.max(plan.quantity, 1)} />
      <BillingContactForm key={`${detail.name} ${detail.email}`} spaceId={spaceId} detail={detail} />
    </>
  );
};
