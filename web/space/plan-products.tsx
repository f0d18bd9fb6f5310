import { createCheckout } from '@rowhouse/contract/billing.ts';
import { listBaseProducts } from '@rowhouse/contract/plan.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { bytesText, countText, moneyText } from './plan-words.ts';

export interface PlanProductsProps {
  spaceId: string;
  level: string;
  seats: number;
}

export const PlanProducts = ({ spaceId, level, seats }: PlanProductsProps) => {
  const products = useQuery({ queryKey: ['products'], queryFn: ({ signal }) => call(listBaseProducts, { signal }), staleTime: 60_000 });
  const [interval, setInterval] = useState<'month' | 'year'>('month');
  const checkout = useMutation({
    mutationFn: (priceId: string) => call(createCheckout, { params: { spaceId }, body: { priceId, quantity: seats, successUrl: window.location.href, cancelUrl: window.location.href } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (products.data === undefined || products.data.length === 0) return null;
  return (
    <Section
      title="Plans"
      actions={
        <div role="radiogroup" aria-label="Paid by" className="flex rounded-lg border border-line p-0.5">
          {(['month', 'year'] as const).map((key) => (
            <button key={key} type="button" role="radio" aria-checked={interval === key} onClick={() => setInterval(key)} className={classNames('rounded-md px-3 py-1 font-medium', interval === key ? 'bg-accent-soft text-accent' : 'text-ink-soft')}>
              {key === 'month' ? 'Monthly' : 'Yearly'}
            </button>
          ))}
        </div>
      }
    >
      <ProblemNote error={checkout.error} />
      <ul className="mt-2 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {products.data.map((product) => {
          const price = product.prices.find((item) => item.interval === interval);
          const isOwn = product.level === level;
          return (
            <li key={product.id} className={classNames('flex flex-col gap-3 rounded-xl border p-4', isOwn ? 'border-accent bg-accent-soft' : 'border-line')}>
              <div>
                <p className="font-semibold capitalize">{product.level}</p>
                <p className="text-[13px] text-ink-soft">{price === undefined ? (product.prices.length === 0 ? 'Free' : 'Not offered so') : price.unitAmount === 0 ? 'Free' : `${moneyText(price.unitAmount, price.currency)} per seat and ${interval}`}</p>
              </div>
              <ul className="flex flex-1 flex-col gap-1 text-[13px] text-ink-soft">
                <li>{countText(product.limit.maxRows)} records</li>
                <li>{bytesText(product.limit.maxSizeAttachments)} of attachments</li>
                <li>{countText(product.limit.maxRevisionHistoryDays)} days of history</li>
                <li>{countText(product.limit.apiRateLimit)} requests a second</li>
              </ul>
              {isOwn ? (
                <p className="text-[13px] font-medium text-accent">Your plan</p>
              ) : (
                price !== undefined &&
                price.unitAmount > 0 && (
                  <Button size="small" busy={checkout.isPending && checkout.variables === price.id} onClick={() => checkout.mutate(price.id)}>
                    Choose {product.level}
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
