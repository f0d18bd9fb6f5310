// The records of one view and the edits on them, for as long as the view is on the screen.
import { listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { call } from '../app/call.ts';
import { onConnectionReturn } from '../app/connection.ts';
import { showProblem } from '../ui/toast.ts';
import { countRecords } from './count-records.ts';
import { createEditQueue, type EditQueue } from './edit-queue.ts';
import { createRecordWindow, type RecordWindow } from './record-window.ts';

const refreshEvery = 4_000;

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
      count: (signal) => countRecords(async (skip) => (await call(listRecords, { params: { tableId }, query: { ...query, skip, take: 1 }, signal })).records.length > 0),
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
    void window.reload();
    const stopWaiting = onConnectionReturn(() => void window.reload());
    // Until changes are pushed, those of others are looked for while someone looks.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !edits.isSaving()) void window.reload();
    }, refreshEvery);
    return () => {
      clearInterval(timer);
      stopWaiting();
      window.close();
    };
  }, [window, edits]);

  const windowVersion = useSyncExternalStore(window.subscribe, window.version);
  const editVersion = useSyncExternalStore(edits.subscribe, edits.version);
  return { window, edits, version: `${windowVersion}.${editVersion}` };
};
