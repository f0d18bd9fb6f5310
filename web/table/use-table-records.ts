// The records of one view and the edits on them, for as long as the view is on the screen.
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { call } from '../app/call.ts';
import { onConnectionReturn } from '../app/connection.ts';
import { queryClient } from '../app/query-client.ts';
import { showProblem } from '../ui/toast.ts';
import { createEditQueue, type EditQueue } from './edit-queue.ts';
import { listenToTable } from './listen-to-table.ts';
import { createRecordWindow, type RecordWindow } from './record-window.ts';


export interface TableRecords {
  window: RecordWindow;
  edits: EditQueue;
  version: string;
}

export const useTableRecords = (tableId: string, viewId: string): TableRecords => {
  const [window, edits] = useMemo(() => {
    const query = { viewId, fieldKeyType: 'id' as const };
    const records = createRecordWindow({
      load: async (skip, take, signal) => (await call(listRecords, { params: { tableId }, query: { ...query, skip, take }, signal })).records,
      count: async (signal) => (await call(getRowCount, { params: { tableId }, query: { viewId }, signal })).rowCount,
    });
    const queue = createEditQueue({
      send: (changed, typecast) => call(updateRecords, { params: { tableId }, body: { records: changed, fieldKeyType: 'id', typecast } }),
      find: records.find,
      onSaved: records.take,
      onRefused: (error) => showProblem(error, 'The server did not accept the change.'),
    });
    return [records, queue];
  }, [tableId, viewId]);

  useEffect(() => {
    const later = atMostEvery(250);
    void window.reload();
    const stopWaiting = onConnectionReturn(() => void window.reload());
    const stopListening = listenToTable(tableId, {
      onRecords: () => later(() => void window.reload()),
      onSchema: () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => ['fields', 'views', 'tables'].includes(String(queryKey[0])) }),
    });
    return () => {
      stopListening();
      stopWaiting();
      window.close();
    };
  }, [window, edits]);

  const windowVersion = useSyncExternalStore(window.subscribe, window.version);
  const editVersion = useSyncExternalStore(edits.subscribe, edits.version);
  return { window, edits, version: `${windowVersion}.${editVersion}` };
};

/** Runs the last thing it is given, not more often than this many milliseconds; the first one at once. */
const atMostEvery = (pause: number): ((action: () => void) => void) => {
  let next: (() => void) | undefined;
  let resting = false;
  const rest = (): void => {
    const action = next;
    next = undefined;
    resting = action !== undefined;
    action?.();
    if (resting) setTimeout(rest, pause);
  };
  return (action) => {
    next = action;
    if (!resting) rest();
  };
};
