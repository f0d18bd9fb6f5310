import { createCheckout } from '@rowhouse/contract/billing.ts';
import type { BaseProduct, Interval } from '@rowhouse/contract/plan.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { fromHere } from '../app/from-here.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { classNames } from '../ui/class-names.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { productsQuery } from './queries.ts';
import { bytesText, countText, moneyText } from './plan-words.ts';

interface PlanProductsProps {
  spaceId: string;
  level: string;
  interval: Interval;
  seats: number;
}

const intervals = [
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
] as const;

const offersOf = ({ limit, trialPeriodInDays }: BaseProduct): string[] => [
  `${countText(limit.maxRows)} records`,
  `${bytesText(limit.maxSizeAttachments)} of attachments`,
  `${countText(limit.maxNumDatabaseConnections)} SQL ${limit.maxNumDatabaseConnections === 1 ? 'connection' : 'connections'}`,
  `${countText(limit.maxRevisionHistoryDays)} days of history`,
  `${countText(limit.apiRateLimit)} requests/s`,
  ...(trialPeriodInDays > 0 ? [`${countText(trialPeriodInDays)} days to try it`] : []),
];

export const PlanProducts = ({ spaceId, level, interval: own, seats }: PlanProductsProps) => {
  const products = useQuery(productsQuery);
  const [interval, setInterval] = useState<Interval>(own);
  const checkout = useMutation({
    mutationFn: async (priceId: string) => {
      const leadOn = fromHere();
      const { href } = window.location;
      const body = { priceId, quantity: seats, successUrl: href, cancelUrl: href };
      const { url } = await call(createCheckout, { params: { spaceId }, body });
      await leadOn(() => window.location.assign(url));
    },
  });
  if (products.data === undefined || products.data.length === 0) return null;
  return (
    <Section
      title="Plans"
      lead="Prices are per seat. Owners, creators and editors take a seat."
      actions={
        <Choice
          label="Billing period"
          value={interval}
          options={intervals}
          onValue={(next) => setInterval(next as Interval)}
        />
      }
    >
      <ProblemNote error={checkout.error} />
      <ul className="mt-2 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {products.data.map((product) => {
          const price = product.prices.find((item) => item.interval === interval);
          const isOwn = product.level === level;
          return (
            <li
              key={product.id}
              className={classNames(
                'flex flex-col gap-3 rounded-xl border p-4',
                isOwn ? 'border-accent bg-accent-soft' : 'border-line',
              )}
            >
              <div>
                <h3 className="font-semibold capitalize">{product.level}</h3>
                <p>
                  <span className="text-xl font-semibold tracking-tight">
                    {price === undefined
                      ? product.prices.length === 0
                        ? 'Free'
                        : 'Not offered'
                      : price.unitAmount === 0
                        ? 'Free'
                        : moneyText(price.unitAmount, price.currency)}
                  </span>
                  {price !== undefined && price.unitAmount > 0 && (
                    <span className="text-[13px] text-ink-soft"> a {interval}</span>
                  )}
                </p>
              </div>
              <ul className="flex flex-1 flex-col gap-1 text-[13px] text-ink-soft">
                {offersOf(product).map((offer) => (
                  <li key={offer}>{offer}</li>
                ))}
              </ul>
              {isOwn ? (
                <p className="flex h-8 items-center text-[13px] font-medium text-accent">Your plan</p>
              ) : (
                price !== undefined &&
                price.unitAmount > 0 && (
                  <Button
                    size="small"
                    busy={checkout.isPending && checkout.variables === price.id}
                    onClick={() => checkout.mutate(price.id)}
                  >
                    Choose <span className="capitalize">{product.level}</span>
                  </Button>
                )
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
};
