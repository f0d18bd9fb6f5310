// Where records stood before they were moved: the operation that moved them keeps it.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { moveRecords } from '@rowhouse/contract/view-order.ts';

/** These records, in this order, next to another one. */
export type RecordRun = BodyOf<typeof moveRecords>;

export interface Placement {
  viewId: string;
  /** One after another. */
  runs: readonly RecordRun[];
}

/** A record and its neighbours. */
export interface Standing {
  id: string;
  above: string | null;
  /** The next one that is not moved. */
  below: string | null;
}

/** From top to bottom: each next to the one above it, the first next to one that stays. */
export const runsOf = (standing: readonly Standing[]): RecordRun[] => {
  const runs: RecordRun[] = [];
  let before: string | undefined;
  for (const { id, above, below } of standing) {
    const last = runs.at(-1);
    if (above !== null && above === before && last !== undefined) last.recordIds.push(id);
    else if (above !== null) runs.push({ recordIds: [id], anchorId: above, position: 'after' });
    else if (below !== null) runs.push({ recordIds: [id], anchorId: below, position: 'before' });
    before = id;
  }
  return runs;
};
