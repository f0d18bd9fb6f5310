// What a change of a field would lose, told before it is saved.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { planFieldConvert } from '@rowhouse/contract/field-plan.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';
import { DateOrderChoice } from '../date/date-order-choice.tsx';

interface ConversionLossProps {
  tableId: string;
  field: Field;
  /** What it shall be. */
  wanted: BodyOf<typeof planFieldConvert>;
  onDateOrder: (order: DateOrder) => void;
}

/** So long nothing is typed before the server is asked. */
const settleAfter = 300;

const times = (count: number): string => (count === 1 ? '' : ` (${count.toLocaleString('en')} times)`);

export const ConversionLoss = ({ tableId, field, wanted: definition, onDateOrder }: ConversionLossProps) => {
  const wanted = JSON.stringify(definition);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), settleAfter);
    return () => clearTimeout(timer);
  }, [wanted]);
  const estimate = useQuery({
    queryKey: ['field-loss', tableId, field.id, asked],
    queryFn: ({ signal }) =>
      call(planFieldConvert, {
        params: { tableId, fieldId: field.id },
        body: JSON.parse(asked) as BodyOf<typeof planFieldConvert>,
        signal,
      }),
    retry: false,
    gcTime: 0,
  });
  const { type } = definition;
  // Options that are not finished are refused when they are saved.
  if (estimate.error !== null) return null;
  const {
    lostCellCount = 0,
    filledCellCount = 0,
    lostExamples = [],
    changedCellCount = 0,
    changedExamples = [],
    ambiguousDates,
  } = estimate.data ?? {};
  const isCurrent = asked === wanted && !estimate.isPending;
  if (!isCurrent)
    return type === field.type ? null : (
      <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-ink-soft">
        Checking which cells fit…
      </p>
    );
  const dates = ambiguousDates?.by === 'guess' && (
    <DateOrderChoice
      example={ambiguousDates.example ?? '03/04/2025'}
      order={ambiguousDates.order}
      onChange={onDateOrder}
    />
  );
  if (lostCellCount === 0 && changedCellCount === 0) {
    if (type === field.type) return null;
    return (
      <>
        <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-ink-soft">
          {filledCellCount === 0 ? 'No cell is lost.' : `All ${filledCellCount.toLocaleString('en')} cells fit.`}
        </p>
        {dates}
      </>
    );
  }
  const of = ` of ${filledCellCount.toLocaleString('en')} ${filledCellCount === 1 ? 'cell' : 'cells'} would be `;
  return (
    <>
      <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
        {lostCellCount > 0 && <p className="font-medium">{`${lostCellCount.toLocaleString('en')}${of}lost.`}</p>}
        {lostExamples.length > 0 && (
          <p className="mt-1 text-[13px] break-words">
            Such as {lostExamples.map(({ text, count }) => `“${text}”${times(count)}`).join(', ')}.
          </p>
        )}
        {changedCellCount > 0 && (
          <p
            className={lostCellCount > 0 ? 'mt-2 font-medium' : 'font-medium'}
          >{`${changedCellCount.toLocaleString('en')}${of}changed.`}</p>
        )}
        {changedExamples.length > 0 && (
          <p className="mt-1 text-[13px] break-words">
            Such as{' '}
            {changedExamples.map(({ text, becomes, count }) => `“${text}” → “${becomes}”${times(count)}`).join(', ')}.
          </p>
        )}
        <p className="mt-1 text-[13px]">Undo brings them back.</p>
      </div>
      {dates}
    </>
  );
};
