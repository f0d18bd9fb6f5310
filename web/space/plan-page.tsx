// What the space has, what it uses and used, and what else there is. For owners.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BaseSizes } from './base-sizes.tsx';
import { BillingContactForm } from './billing-contact-form.tsx';
import { billingQuery } from './queries.ts';
import { Section } from '../ui/section.tsx';
import { PlanProducts } from './plan-products.tsx';
import { PlanSection } from './plan-section.tsx';
import { isUnlimited } from './plan-words.ts';
import { SpaceFrame } from './space-frame.tsx';
import { UsageMeters } from './usage-meters.tsx';
import { UsagePlot } from './usage-plot.tsx';

const Plan = ({ spaceId }: { spaceId: string }) => {
  const { data: billing, error } = useQuery(billingQuery(spaceId));
  if (billing === undefined) return error === null ? <Loading /> : <ProblemNote error={error} />;
  const { plan, detail } = billing;
  if (isUnlimited(plan.limit)) {
    return (
      <>
        <Section title="Usage" lead="Everything is unlimited on this server.">
          <UsageMeters plan={plan} />
        </Section>
        <UsagePlot spaceId={spaceId} limit={plan.limit} />
        <BaseSizes spaceId={spaceId} />
      </>
    );
  }
  return (
    <>
      <PlanSection billing={billing} />
      <UsagePlot spaceId={spaceId} limit={plan.limit} />
      {plan.limit.adminPanelEnable && <BaseSizes spaceId={spaceId} />}
      <PlanProducts spaceId={spaceId} level={plan.level} interval={plan.interval} seats={Math.max(plan.quantity, 1)} />
      <BillingContactForm key={`${detail.name} ${detail.email}`} spaceId={spaceId} detail={detail} />
    </>
  );
};

export const PlanPage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId/plan' });
  return <SpaceFrame spaceId={spaceId}>{() => <Plan spaceId={spaceId} />}</SpaceFrame>;
};
