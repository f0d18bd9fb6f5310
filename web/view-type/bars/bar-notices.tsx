// What a view of bars cannot show, and why.
import type { View } from '@rowhouse/contract/view.ts';
import { TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { lostIn } from './bar-fields.ts';
import type { Bar } from './bars.ts';
import { mostBars } from './use-bar-records.ts';

interface BarNoticesProps {
  view: View;
  isFull: boolean;
  cycles: readonly (readonly string[])[];
  bars: ReadonlyMap<string, Bar>;
  onOpen: (recordId: string) => void;
}

const mostNamed = 3;
const mostInCircle = 8;

const Notice = ({ children }: { children: ReactNode }) => (
  <p
    role="status"
    className="flex items-start gap-2 border-t border-line bg-warn-soft px-4 py-1.5 text-[13px] text-warn"
  >
    <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden />
    <span className="min-w-0">{children}</span>
  </p>
);

export const BarNotices = ({ view, isFull, cycles, bars, onOpen }: BarNoticesProps) => {
  const lost = lostIn(view);
  return (
    <div className="empty:hidden">
      {isFull && (
        <Notice>Only the first {mostBars.toLocaleString('en')} records are shown. A filter shows fewer at once.</Notice>
      )}
      {lost.length > 0 && (
        <Notice>
          The field for {lost.join(' and for ')} is deleted, no longer fits, or is hidden from you. Another one can be
          chosen under “Bars”.
        </Notice>
      )}
      {cycles.slice(0, mostNamed).map((cycle) => (
        <Notice key={cycle.join(' ')}>
          These wait for each other in a circle, so none of them moves the others:{' '}
          {[...cycle.slice(0, mostInCircle), cycle[0] as string].map((id, index) => (
            // One stands at the beginning and at the end.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={`${id} ${index}`}>
              {index > 0 && ' → '}
              {index === mostInCircle && cycle.length > mostInCircle && '… → '}
              <button type="button" className="font-medium underline" onClick={() => onOpen(id)}>
                {bars.get(id)?.name ?? id}
              </button>
            </Fragment>
          ))}
          . Take one of the links away.
        </Notice>
      ))}
      {cycles.length > mostNamed && <Notice>There are {cycles.length - mostNamed} more such circles.</Notice>}
    </div>
  );
};
