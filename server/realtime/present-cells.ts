// Which cells people are in. It is passed on to those who have the table open, in all processes, and kept nowhere: anyone who
// comes later is told by the next move, or by those who see them come.
import { isWholeTable, type TableRights } from '../catalog/rights.ts';
import type { TableSchema } from '../catalog/table.ts';
import type { Services } from '../context.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { CellPosition } from '../live.ts';
import { presentTable } from '../pipeline/present-table.ts';
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

/** Undefined when it has gone meanwhile. */
const tableOf = async (services: Services, baseId: string, tableId: string): Promise<TableSchema | undefined> => {
  try {
    return await presentTable(services, baseId, tableId);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};

export const createPresentCells = (
  services: Services,
  listenersOf: (tableIds: ReadonlySet<string>) => [Listener, string][],
  tell: (topic: string) => void,
): PresentCells => {
  const { db, now, backgroundErrors } = services;

  /** Whether somebody with a part of the table sees the record would have to be looked up for every move. */
  const seeWhole = async (concerned: readonly [Listener, string][]): Promise<ReadonlySet<Listener>> => {
    const tables = new Map<string, Promise<TableSchema | undefined>>();
    const rightsOn = async ({ access }: Listener, tableId: string): Promise<TableRights | null> => {
      const { rights, baseId } = access;
      if (rights.on === undefined || baseId === null) return rights.of(tableId);
      // What rules give is known of a snapshot only: computed fields come from other tables.
      const loading = tables.get(tableId) ?? tableOf(services, baseId, tableId);
      tables.set(tableId, loading);
      const table = await loading;
      return table === undefined ? null : rights.on(table);
    };
    const whole = new Set<Listener>();
    for (const [listener, tableId] of concerned) {
      const rights = await rightsOn(listener, tableId);
      if (rights !== null && isWholeTable(rights)) whole.add(listener);
    }
    return whole;
  };

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
      const whole = await seeWhole(concerned);
      for (const [listener, tableId] of concerned) {
        if (!whole.has(listener)) continue;
        for (const position of positions) {
          if (position.tableId === tableId && position.userId !== listener.access.principal.userId)
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
