// What was deleted from the table, records, fields and views, latest first, with a way back.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { deleteTrashItem, listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import type { ViewType } from '@rowhouse/contract/view.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showProblem, showToast } from '../../ui/toast.ts';
import { TrashRow } from '../../ui/trash-row.tsx';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import { recordsKey, reloadFields } from '../../record-data/queries.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { viewTypes } from '../../view-type/view-types.ts';

interface DeletedItem {
  id: string;
  kind: 'record' | 'field' | 'view';
  ids: readonly string[];
  title: string;
  /** Before when and by whom. */
  about: string;
  deletedTime: string;
  author: string;
}

const maxNames = 3;

const titleOf = (names: readonly string[]): string => {
  const shown = names.slice(0, maxNames).map((name) => (name === '' ? 'Unnamed record' : name));
  return names.length > maxNames ? `${shown.join(', ')} and ${names.length - maxNames} more` : shown.join(', ');
};

export interface DeletedRights {
  restoreRecords: boolean;
  restoreFields: boolean;
  restoreViews: boolean;
  /** Delete permanently. */
  empty: boolean;
}

interface DeletedProps {
  tableId: string;
  records: TableRecords;
  may: DeletedRights;
}

export const Deleted = ({ tableId, records: { window, edits }, may }: DeletedProps) => {
  const [emptying, setEmptying] = useState(false);
  const [deleting, setDeleting] = useState<DeletedItem>();
  const place = { resourceId: tableId, resourceType: 'table' } as const;
  const trash = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'deleted'],
    queryFn: ({ pageParam, signal }) =>
      call(listTrashItems, { query: { ...place, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const rightTo = { record: may.restoreRecords, field: may.restoreFields, view: may.restoreViews };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  const reload = (): Promise<void> => reloadFields(tableId, window.reload);
  const restore = useMutation({
    mutationFn: ({ id }: DeletedItem) => edits.inTurn(() => call(restoreTrash, { params: { trashId: id } })),
    onSuccess: async (_answer, { kind, ids }) => {
      showToast({
        kind: 'note',
        title: ids.length === 1 ? `The ${kind} was restored.` : `${ids.length} records were restored.`,
      });
      await Promise.all([kind === 'record' ? window.reload() : reload(), refresh()]);
    },
    onError: (error) => showProblem(error, 'Nothing was restored.'),
  });
  const items =
    trash.data?.pages.flatMap(({ trashItems, resourceMap, userMap }) =>
      trashItems.map(({ id, resourceType, resourceIds = [], deletedTime, deletedBy }): DeletedItem => {
        const item = { id, ids: resourceIds, deletedTime, author: userMap[deletedBy]?.name ?? 'someone' };
        const things = resourceIds.map((one) => resourceMap[one]);
        if (resourceType === 'field')
          return {
            ...item,
            kind: 'field',
            title: things[0]?.name ?? '',
            about: `Field (${fieldTypeOf(things[0]?.type as FieldTypeName).label.toLowerCase()})`,
          };
        if (resourceType === 'view')
          return {
            ...item,
            kind: 'view',
            title: things[0]?.name ?? '',
            about: `View (${viewTypes[things[0]?.type as ViewType].label.toLowerCase()})`,
          };
        return {
          ...item,
          kind: 'record',
          title: titleOf(things.map((thing) => thing?.name ?? '')),
          about: things.length > 1 ? `${things.length} records` : 'Record',
        };
      }),
    ) ?? [];

  return (
    <>
      <ProblemNote error={trash.error} />
      {trash.isPending && <Loading />}
      {trash.data !== undefined && items.length === 0 && (
        <EmptyState icon={<Trash2 size={20} />} title="Nothing deleted">
          Deleted records, fields and views appear here. You can restore them as long as the history is kept.
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul aria-label="Deleted" className="flex flex-col divide-y divide-line">
          {items.map((item) => (
            <TrashRow
              key={item.id}
              {...item}
              className="first:pt-0"
              busy={restore.isPending && restore.variables.id === item.id}
              disabled={restore.isPending}
              onRestore={rightTo[item.kind] ? () => restore.mutate(item) : undefined}
              onDelete={may.empty ? () => setDeleting(item) : undefined}
            />
          ))}
        </ul>
      )}
      {trash.hasNextPage && (
        <Button className="self-center" busy={trash.isFetchingNextPage} onClick={() => void trash.fetchNextPage()}>
          Show older items
        </Button>
      )}
      {may.empty && items.length > 0 && (
        <Button className="self-start" icon={<Trash2 size={15} />} onClick={() => setEmptying(true)}>
          Delete all permanently
        </Button>
      )}
      {deleting !== undefined && (
        <ConfirmDialog
          title={`Delete ${deleting.title} permanently?`}
          description={
            deleting.ids.length > 1
              ? `These ${deleting.ids.length} records cannot be restored afterwards, not even with undo.`
              : `This ${deleting.kind} cannot be restored afterwards, not even with undo.`
          }
          action="Delete permanently"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await call(deleteTrashItem, { params: { trashId: deleting.id } });
            await refresh();
          }}
        />
      )}
      {emptying && (
        <ConfirmDialog
          title="Delete all of this permanently?"
          description="These records, fields and views cannot be restored afterwards, not even with undo. Their earlier changes stay in the history."
          action="Delete permanently"
          onClose={() => setEmptying(false)}
          onConfirm={async () => {
            await call(resetTrashItems, { query: place });
            await refresh();
          }}
        />
      )}
    </>
  );
};
