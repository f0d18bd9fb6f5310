import type { View } from '@rowhouse/contract/view.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { isGroupedView } from '../../record-data/first-questions.ts';
import type { RecordWindow } from '../../record-data/record-window.ts';

/** How many records there are, once everything that a grid begins with is known. */
export const knownCount = (window: RecordWindow, view: View): number | undefined =>
  window.groups() === undefined && isGroupedView(view) ? undefined : window.rowCount();

/** In place of the grid until then. */
export const GridPending = ({ window }: { window: RecordWindow }) =>
  window.error() === null ? (
    <Loading what="Loading records" />
  ) : (
    <div className="p-6">
      <ProblemNote error={window.error()} />
    </div>
  );
