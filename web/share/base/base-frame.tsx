// The frame around a shared base: its tables and views on the left, in a drawer on a phone.
import type { getSharedBase } from '@rowhouse/contract/base-share.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { CopyPlus, PanelLeft } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { queryClient } from '../../app/query-client.ts';
import { chosenView } from '../../record-data/first-questions.ts';
import { baseQuery, fieldsQuery, nodesQuery, recordsKey, tablesQuery, viewsQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { BaseOutline, isShownHere, tablesInOrder } from './base-outline.tsx';
import { placeIn, useBasePath } from './base-place.ts';
import { BaseTable } from './base-table.tsx';
import { CopyBaseDialog } from './copy-base-dialog.tsx';

interface BaseFrameProps {
  shareId: string;
  share: ResponseOf<typeof getSharedBase>;
  /** The share may be over, or allow something else. */
  onChange: () => Promise<void>;
}

export const BaseFrame = ({ shareId, share: { baseId, shareMeta }, onChange }: BaseFrameProps) => {
  const base = useQuery(baseQuery(baseId));
  const tables = useQuery(tablesQuery(baseId));
  const nodes = useQuery(nodesQuery(baseId));
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const wanted = placeIn(useBasePath());
  const inOrder = tablesInOrder(nodes.data ?? [], tables.data ?? []);
  const table = inOrder.find(({ id }) => id === wanted.tableId) ?? inOrder[0];
  const views = (useQuery({ ...viewsQuery(table?.id ?? ''), enabled: table !== undefined }).data ?? []).filter(
    isShownHere,
  );
  const view = chosenView(views, wanted.tableId === table?.id ? wanted.viewId : undefined);
  const name = base.data?.name;
  useEffect(() => {
    if (name !== undefined)
      document.title = table === undefined || shareMeta.nodeId === null ? name : `${table.name} · ${name}`;
  }, [name, table, shareMeta.nodeId]);
  const problem = base.error ?? tables.error ?? nodes.error;
  if (problem !== null && base.data === undefined)
    return (
      <main className="p-4">
        <ProblemNote error={problem} />
      </main>
    );
  if (base.data === undefined || tables.data === undefined || nodes.data === undefined) return <Loading />;
  const tableId = table?.id;
  const reload = async (): Promise<void> => {
    const changed = [tablesQuery(baseId), nodesQuery(baseId), baseQuery(baseId)].map(({ queryKey }) => queryKey);
    const ofTable = tableId === undefined ? [] : [fieldsQuery(tableId).queryKey, viewsQuery(tableId).queryKey];
    await onChange();
    await Promise.all(
      [...changed, ...ofTable, ...(tableId === undefined ? [] : [recordsKey(tableId)])].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  };
  const outline = (
    <BaseOutline
      shareId={shareId}
      base={base.data}
      nodes={nodes.data}
      tables={tables.data}
      table={table}
      views={views}
      viewId={view?.id}
    />
  );
  return (
    <div className="flex h-dvh bg-canvas">
      <aside
        aria-label="Tables and views"
        className="flex w-60 shrink-0 flex-col border-r border-line bg-canvas max-md:hidden print:hidden"
      >
        {outline}
      </aside>
      <Dialog.Root open={isDrawerOpen} onOpenChange={setDrawerOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
          {/* Following a link closes it. */}
          <Dialog.Content
            aria-describedby={undefined}
            onClick={(event) => (event.target as Element).closest('a') !== null && setDrawerOpen(false)}
            className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r border-line bg-canvas shadow-float focus:outline-none"
          >
            <Dialog.Title className="sr-only">Tables and views</Dialog.Title>
            {outline}
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <main className="flex min-w-0 flex-1 flex-col">
        <header className="flex min-h-13 shrink-0 items-center gap-2 bg-surface px-3 py-1.5 sm:px-4">
          <IconButton label="Tables and views" className="-ml-1 md:hidden" onClick={() => setDrawerOpen(true)}>
            <PanelLeft size={18} />
          </IconButton>
          <div className="min-w-0 flex-1">
            <h1 className="truncate text-[17px] font-semibold tracking-tight">{table?.name ?? base.data.name}</h1>
            {view !== undefined && <p className="truncate text-[13px] text-ink-soft md:hidden">{view.name}</p>}
          </div>
          {shareMeta.allowSave && (
            <Button icon={<CopyPlus size={15} />} onClick={() => setCopying(true)}>
              Copy base
            </Button>
          )}
        </header>
        {table === undefined && <p className="p-6 text-ink-soft">There is no table in what is shared here.</p>}
        {table !== undefined && (
          <BaseTable
            key={table.id}
            shareId={shareId}
            tableId={table.id}
            description={table.description ?? undefined}
            view={view}
            mayCopy={shareMeta.allowCopy}
            reload={reload}
          />
        )}
      </main>
      {isCopying && <CopyBaseDialog shareId={shareId} name={base.data.name} onClose={() => setCopying(false)} />}
    </div>
  );
};
