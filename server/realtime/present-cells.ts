// Which cells people are in. It is passed on to those who have the table open, in all processes, and kept nowhere: anyone who
// comes later is told by the next move, or by those who see them come.
import { isWholeTable } from '../catalog/rights.ts';
import type { Services } from '../context.ts';
import type { CellPosition } from '../live.ts';
import { coalesce } from '../work/coalesce.ts';
import { type Listener, verifyNow } from './listener.ts';
import { eventText } from './sse.ts';

export const cellTopic = 'cell/';

interface PresentCells {
  show(position: CellPosition): void;
  /** The topic of a signal from another process. */
  hear(topic: string): void;
  close(): Promise<void>;
}

const topicOf = ({ tableId, userId, recordId, fieldId }: CellPosition): string =>
  `${cellTopic}${tableId}/${userId}/${recordId ?? ''}/${fieldId ?? ''}`;

const positionOf = (topic: string): CellPosition | undefined => {
  const [, tableId, userId, recordId, fieldId] = topic.split('/');
  return tableId === undefined || userId === undefined
    ? undefined
    : { tableId, userId, recordId: recordId || null, fieldId: fieldId || null };
};

export const createPresentCells = (
  { db, now, backgroundErrors }: Services,
  listenersOf: (tableIds: ReadonlySet<string>) => [Listener, string][],
  tell: (topic: string) => void,
): PresentCells => {
  /** Where each person is who moved since the last time; only the last of several moves counts. */
  const moved = new Map<string, CellPosition>();

  const passing = coalesce(
    async () => {
      const positions = [...moved.values()];
      moved.clear();
      const concerned = listenersOf(new Set(positions.map(({ tableId }) => tableId)));
      if (concerned.length === 0) return;
      await verifyNow(
        db,
        concerned.map(([listener]) => listener),
        now().getTime(),
      );
      for (const [listener, tableId] of concerned) {
        const { access } = listener;
        // Whether somebody with a part of the table sees the record would have to be looked up for every move.
        const rights = access.rights.of(tableId);
        if (rights === null || !isWholeTable(rights)) continue;
        for (const position of positions) {
          if (position.tableId === tableId && position.userId !== access.principal.userId)
            listener.send(eventText('presence.cell', JSON.stringify(position)));
        }
      }
    },
    () => 50,
    (error) => backgroundErrors.note('live feed', error),
  );

  const take = (position: CellPosition): void => {
    moved.set(`${position.tableId} ${position.userId}`, position);
    passing.wake();
  };

  return {
    show(position) {
      take(position);
      tell(topicOf(position));
    },
    hear(topic) {
      const position = positionOf(topic);
      if (position !== undefined) take(position);
    },
    close: () => passing.close(),
  };
};
