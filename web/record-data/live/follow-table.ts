// Keeps what is shown of a table up to date: changes as they happen, and everything again after anything may have been missed.
import type { EventData } from '@rowhouse/contract/event.ts';
import { onConnectionReturn } from '../../app/connection.ts';
import { queryClient } from '../../app/query-client.ts';
import { recordsKey } from '../queries.ts';
import type { RecordWindow } from '../record-window.ts';
import { atMostEvery } from './at-most-every.ts';
import { listenToTable } from './listen-to-table.ts';

interface Followed {
  tableId: string;
  /** Other views read their records by queries, not by a window. */
  isGrid: boolean;
  window: RecordWindow;
  onUpdated: (change: EventData<'records.updated'>, reload: () => void) => void;
  onDeleted: (change: EventData<'records.deleted'>) => void;
  onComments: (recordIds: readonly string[] | undefined) => void;
}

/** Answers how to stop. */
export const followTable = ({ tableId, isGrid, window, onUpdated, onDeleted, onComments }: Followed): (() => void) => {
  const soon = atMostEvery(250);
  const soonAround = atMostEvery(400);
  // Everything else on the screen that is made of records: cards, statistics, history.
  const around = (): void => soonAround(() => void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }));
  const reload = (): void => soon(() => void (isGrid && window.reload()));
  const everything = (): void => {
    reload();
    around();
  };
  if (isGrid) void window.reload();
  const stopWaiting = onConnectionReturn(everything);
  const stopListening = listenToTable(tableId, {
    onUpdated: (change) => {
      onUpdated(change, reload);
      around();
    },
    onDeleted: (change) => {
      onDeleted(change);
      everything();
    },
    onRecords: everything,
    onComments,
    onSchema: () =>
      void queryClient
        .invalidateQueries({
          predicate: ({ queryKey }) =>
            ['fields', 'views', 'record-templates', 'my-rights'].includes(String(queryKey[0])),
        })
        .then(reload),
    onTables: () =>
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => ['tables', 'nodes'].includes(String(queryKey[0])),
      }),
  });
  return () => {
    stopListening();
    stopWaiting();
    window.close();
  };
};
