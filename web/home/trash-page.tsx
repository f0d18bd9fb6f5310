import { listTrash, restoreTrash } from '@rowhouse/contract/trash.ts';
import { queryOptions, useMutation, useQueries } from '@tanstack/react-query';
import { RotateCcw, Trash2 } from 'lucide-react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fullTime, timeAgo } from '../app/time.ts';
import { TopBar } from '../app/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showToast } from '../ui/toast.ts';

const trashQuery = (resourceType: 'space' | 'base') =>
  queryOptions({ queryKey: ['trash', resourceType], queryFn: ({ signal }) => call(listTrash, { query: { resourceType }, signal }) });

export const TrashPage = () => {
  const lists = useQueries({ queries: [trashQuery('space'), trashQuery('base')] });
  const restore = useMutation({
    mutationFn: (item: { trashId: string; name: string }) => call(restoreTrash, { params: { trashId: item.trashId } }),
    onSuccess: async (_answer, { name }) => {
      showToast({ kind: 'note', title: `${name} is back.` });
      await queryClient.invalidateQueries();
    },
  });
  const items = lists
    .flatMap(({ data }) => (data?.trashItems ?? []).map((item) => ({ ...item, name: data?.resourceMap[item.resourceId]?.name ?? 'Unnamed', by: data?.userMap[item.deletedBy]?.name })))
    .sort((one, other) => other.deletedTime.localeCompare(one.deletedTime));

  return (
    <>
      <TopBar />
      <Page title="Trash" lead="What was deleted waits here until it is restored.">
        <div className="flex flex-col gap-3">
          <ProblemNote error={restore.error ?? lists.find((list) => list.error !== null)?.error} />
          {lists.some((list) => list.isPending) && <Loading />}
          {lists.every((list) => list.isSuccess) && items.length === 0 && (
            <EmptyState icon={<Trash2 size={20} />} title="The trash is empty">
              Spaces and bases that you delete can be restored from here.
            </EmptyState>
          )}
          {items.length > 0 && (
            <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
              {items.map((item) => (
                <li key={item.id} className="flex items-center gap-4 px-4 py-3">
                  <div className="min-w-0 flex-1">
                    <p className="truncate font-medium">{item.name}</p>
                    <p className="truncate text-[13px] text-ink-faint" title={fullTime(item.deletedTime)}>
                      {item.resourceType === 'space' ? 'Space' : 'Base'}, deleted {timeAgo(item.deletedTime)}
                      {item.by === undefined ? '' : ` by ${item.by}`}
                    </p>
                  </div>
                  <Button size="small" icon={<RotateCcw size={15} />} disabled={restore.isPending} onClick={() => restore.mutate({ trashId: item.id, name: item.name })} aria-label={`Restore ${item.name}`}>
                    Restore
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Page>
    </>
  );
};
