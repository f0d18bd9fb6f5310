// Records that were put elsewhere by hand. The server does not keep where they stood, so a step holds both.
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { call } from '../../app/call.ts';

/** These records, in this order, next to another one. */
export interface RecordRun {
  recordIds: readonly string[];
  anchorId: string;
  position: 'before' | 'after';
}

export interface Placement {
  tableId: string;
  viewId: string;
  /** One after another. */
  to: readonly RecordRun[];
  /** The way back. */
  from: readonly RecordRun[];
}

const mark = 'place ';

/** As an operation among those of the server. */
export const placementOperation = (placement: Placement): string => `${mark}${JSON.stringify(placement)}`;

export const isPlacement = (operation: string): boolean => operation.startsWith(mark);

export const placeRecords = async ({ tableId, viewId, to }: Placement): Promise<void> => {
  for (const { recordIds, anchorId, position } of to) await call(moveRecords, { params: { tableId, viewId }, body: { recordIds: [...recordIds], anchorId, position } });
};

/** Answers the operation that does it again. */
export const undoPlacement = async (operation: string): Promise<string> => {
  const { to, from, ...rest } = JSON.parse(operation.slice(mark.length)) as Placement;
  const back: Placement = { ...rest, to: from, from: to };
  await placeRecords(back);
  return placementOperation(back);
};

/** Where records stand in a list, from top to bottom: each next to the one above it, the first next to one that stays. */
export const runsIn = (list: readonly string[], moved: ReadonlySet<string>): RecordRun[] => {
  const runs: RecordRun[] = [];
  for (const [index, id] of list.entries()) {
    if (!moved.has(id)) continue;
    const above = list[index - 1];
    const last = runs.at(-1);
    if (above !== undefined && last?.recordIds.at(-1) === above) runs[runs.length - 1] = { ...last, recordIds: [...last.recordIds, id] };
    else if (above !== undefined) runs.push({ recordIds: [id], anchorId: above, position: 'after' });
    else {
      const below = list.find((other) => !moved.has(other));
      if (below !== undefined) runs.push({ recordIds: [id], anchorId: below, position: 'before' });
    }
  }
  return runs;
};
