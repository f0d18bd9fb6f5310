// The records of one view for as long as it is on the screen.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { queryClient } from '../app/query-client.ts';
import { followTable } from './live/follow-table.ts';
import { viewsQuery } from './queries.ts';
import { createTableRecords, type TableRecords } from './table-records.ts';
import type { CellText } from './record-changes.ts';

export const useTableRecords = (
  tableId: string,
  view: View,
  fields: readonly Field[],
  textOf: CellText,
): TableRecords => {
  const latest = useRef({ view, fields });
  latest.current = { view, fields };
  const { window, edits, undo, undoTarget, refresh, listen, onUpdated, onDeleted, onComments } = useMemo(() => {
    // What was read last, even if it is not drawn yet.
    const read = (): View =>
      queryClient.getQueryData(viewsQuery(tableId).queryKey)?.find(({ id }) => id === view.id) ?? latest.current.view;
    return createTableRecords(tableId, view.id, () => ({ view: read(), fields: latest.current.fields }), textOf);
  }, [tableId, view.id, textOf]);
  const isGrid = view.type === 'grid';

  useEffect(
    () => followTable({ tableId, isGrid, window, onUpdated, onDeleted, onComments }),
    [tableId, window, onUpdated, onDeleted, onComments, isGrid],
  );

  const windowVersion = useSyncExternalStore(window.subscribe, window.version);
  const editVersion = useSyncExternalStore(edits.subscribe, edits.version);
  return { window, edits, undo, undoTarget, refresh, listen, version: `${windowVersion}.${editVersion}` };
};
