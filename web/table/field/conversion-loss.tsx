// What a change of a field would lose, told before it is saved.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { type Field, planFieldConvert } from '@rowhouse/contract/field.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';

export interface ConversionLossProps {
  tableId: string;
  field: Field;
  /** What it shall be. */
  wanted: BodyOf<typeof planFieldConvert>;
}

/** So long nothing is typed before the server is asked. */
const settleAfter = 300;

export const ConversionLoss = ({ tableId, field, wanted: definition }: ConversionLossProps) => {
  const wanted = JSON.stringify(definition);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), settleAfter);
    return () => clearTimeout(timer);
  }, [wanted]);
  const estimate = useQuery({
    queryKey: ['field-loss', tableId, field.id, asked],
    queryFn: ({ signal }) => call(planFieldConvert, { params: { tableId, fieldId: field.id }, body: JSON.parse(asked) as BodyOf<typeof planFieldConvert>, signal }),
    retry: false,
    gcTime: 0,
  });
  const { type } = definition;
  // Options that are not finished are refused when they are saved.
  if (estimate.error !== null) return null;
  const { lostCellCount = 0, filledCellCount = 0, lostExamples = [] } = estimate.data ?? {};
  const isCurrent = asked === wanted && !estimate.isPending;
  if (!isCurrent) return type === field.type ? null : <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-ink-soft">Checking which cells fit…</p>;
  if (lostCellCount === 0) return type === field.type ? null : <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-ink-soft">{filledCellCount === 0 ? 'No cell is lost.' : `All ${filledCellCount.toLocaleString('en')} cells fit.`}</p>;
  return (
    <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <p className="font-medium">
        {lostCellCount.toLocaleString('en')} of {filledCellCount.toLocaleString('en')} {filledCellCount === 1 ? 'cell' : 'cells'} would be lost.
      </p>
      {lostExamples.length > 0 && (
        <p className="mt-1 text-[13px] break-words">
          Such as {lostExamples.map(({ text, count }) => `“${text}”${count === 1 ? '' : ` (${count.toLocaleString('en')} times)`}`).join(', ')}.
        </p>
      )}
      <p className="mt-1 text-[13px]">Undo brings them back.</p>
    </div>
  );
};
