// Everything that was deleted and can come back: spaces, bases, and the tables and automations of the bases there are.
import { allows, standingIn } from '../app/standing.ts';
import { deleteTrashItem, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { useMutation, useQueries } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showToast } from '../ui/toast.ts';
import { TrashRow } from '../ui/trash-row.tsx';
import { basesQuery, sharedBasesQuery, spacesQuery } from './spaces-query.ts';
import { baseTrashQuery, type TrashContents, trashQuery } from '../record-data/trash-queries.ts';

interface Item {
  id: string;
  name: string;
  kind: string;
  deletedTime: string;
  by: string | undefined;
  /** By owners of the space alone. */
  canGo: boolean;
}

const itemsOf = (
  contents: TrashContents | undefined,
  kindOf: (type: string) => string,
  canGo: (spaceId: string | undefined) => boolean,
): Item[] =>
  (contents?.trashItems ?? []).map(({ id, resourceId = '', resourceType, deletedTime, deletedBy }) => ({
    id,
    deletedTime,
    kind: kindOf(resourceType),
    name: contents?.resourceMap[resourceId]?.name ?? 'Unnamed',
    by: contents?.userMap[deletedBy]?.name,
    canGo: canGo(contents?.resourceMap[resourceId]?.spaceId),
  }));

/** What lies in the trash of a base, besides tables. */
const kindWords: Readonly<Record<string, string>> = { workflow: 'Automation', dashboard: 'Dashboard' };

export const TrashPage = () => {
  const { base: onlyBaseId } = useSearch({ from: '/signed-in/trash' });
  const [own, shared, spaces] = useQueries({ queries: [basesQuery, sharedBasesQuery, spacesQuery] });
  const bases = [...(own.data ?? []), ...(shared.data ?? [])].filter(
    (base) => allows(standingIn(base), 'table|delete') && (onlyBaseId ?? base.id) === base.id,
  );
  const places = useQueries({ queries: [trashQuery('space'), trashQuery('base')] });
  const tables = useQueries({ queries: bases.map(({ id }) => baseTrashQuery(id)) });
  const [emptying, setEmptying] = useState(false);
  const [deleting, setDeleting] = useState<Item>();
  const restore = useMutation({
    mutationFn: ({ id }: Item) => call(restoreTrash, { params: { trashId: id } }),
    onSuccess: async (_answer, { name }) => {
      showToast({ kind: 'note', title: `${name} restored.` });
      await queryClient.invalidateQueries();
    },
  });

  const ownsSpace = (spaceId: string | undefined): boolean =>
    spaces.data?.some(({ id, role }) => id === spaceId && role === 'owner') === true;
  const onlyBase = onlyBaseId === undefined ? undefined : bases[0];
  const lists = [own, shared, ...(onlyBaseId === undefined ? places : []), ...tables];
  const items = [
    ...(onlyBaseId === undefined
      ? [
          ...itemsOf(
            places[0].data,
            () => 'Space',
            () => true,
          ),
          ...itemsOf(places[1].data, () => 'Base', ownsSpace),
        ]
      : []),
    ...tables.flatMap(({ data }, index) =>
      itemsOf(
        data,
        (type) => {
          const kind = kindWords[type] ?? 'Table';
          return onlyBase === undefined ? `${kind} of ${bases[index]?.name}` : kind;
        },
        () => ownsSpace(bases[index]?.spaceId),
      ),
    ),
  ].sort((one, other) => other.deletedTime.localeCompare(one.deletedTime));
  const isPending = lists.some((list) => list.isPending);

  return (
    <>
      <TopBar />
      <Page
        title={onlyBase === undefined ? 'Trash' : `Trash of ${onlyBase.name}`}
        lead={
          onlyBase === undefined ? (
            'Deleted spaces, bases, tables, dashboards and automations. Restore them from here.'
          ) : (
            <>
              Deleted tables, dashboards and automations of this base.{' '}
              <Link to="/trash" search={{}} className="text-accent underline underline-offset-2">
                Show everything in the trash
              </Link>
            </>
          )
        }
        actions={
          onlyBase !== undefined &&
          items.length > 0 &&
          allows(standingIn(onlyBase), 'table|trash_reset') && (
            <Button icon={<Trash2 size={16} />} onClick={() => setEmptying(true)}>
              Delete all permanently
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-3">
          <ProblemNote error={restore.error ?? lists.find((list) => list.error !== null)?.error} />
          {isPending && <Loading />}
          {!isPending && items.length === 0 && lists.every((list) => list.error === null) && (
            <EmptyState icon={<Trash2 size={20} />} title="The trash is empty">
              {onlyBase === undefined
                ? 'Spaces, bases, tables, dashboards and automations that you delete can be restored from here.'
                : 'Tables, dashboards and automations that you delete from this base can be restored from here.'}
            </EmptyState>
          )}
          {items.length > 0 && (
            <ul
              aria-label="Deleted"
              className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card"
            >
              {items.map((item) => (
                <TrashRow
                  key={item.id}
                  title={item.name}
                  about={item.kind}
                  deletedTime={item.deletedTime}
                  author={item.by}
                  className="px-4"
                  busy={restore.isPending && restore.variables.id === item.id}
                  disabled={restore.isPending}
                  onRestore={() => restore.mutate(item)}
                  onDelete={item.canGo ? () => setDeleting(item) : undefined}
                />
              ))}
            </ul>
          )}
        </div>
        {deleting !== undefined && (
          <ConfirmDialog
            title={`Delete ${deleting.name} permanently?`}
            description="Everything in it is deleted, too. This cannot be undone."
            action="Delete permanently"
            onClose={() => setDeleting(undefined)}
            onConfirm={async () => {
              await call(deleteTrashItem, { params: { trashId: deleting.id } });
              await queryClient.invalidateQueries({ queryKey: ['trash'] });
            }}
          />
        )}
        {emptying && onlyBase !== undefined && (
          <ConfirmDialog
            title="Delete all of these permanently?"
            description="The records and history of the tables and the runs of the automations are deleted, too. This cannot be undone."
            action="Delete permanently"
            onClose={() => setEmptying(false)}
            onConfirm={async () => {
              await call(resetTrashItems, { query: { resourceId: onlyBase.id, resourceType: 'base' } });
              await queryClient.invalidateQueries({ queryKey: ['trash'] });
            }}
          />
        )}
      </Page>
    </>
  );
};
