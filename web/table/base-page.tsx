import { allows, standingIn } from '../app/standing.ts';
import { createDashboard } from '@rowhouse/contract/dashboard.ts';
import { createFolder, createNode } from '@rowhouse/contract/node.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { takeDeletion } from '../app/last-deletion.ts';
import { isFinal } from '../ui/problem.ts';
import { queryClient } from '../app/query-client.ts';
import { useTitle } from '../app/brand.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { noteBase } from '../home/favourites.ts';
import { spacesQuery } from '../home/spaces-query.ts';
import { PresentPeople } from '../frame/present-people.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { usePreview } from '../field-type/attachment/preview.ts';
import { DropNote, UploadsNote } from '../field-type/attachment/uploads-note.tsx';
import { useFileDrop } from '../field-type/attachment/use-file-drop.ts';
import { PressDialog } from '../field-type/cell/press-dialog.tsx';
import { type BroughtFile, forgetFile, useBroughtFile } from '../import/brought-file.ts';
import { importableOf } from '../import/importable.ts';
import { firstFields } from '../record-data/new-table.ts';
import { baseQuery, fieldsQuery, reloadTables, tablesQuery, viewsQuery } from '../record-data/queries.ts';
import { BaseSidebar } from './sidebar/base-sidebar.tsx';
import { toggleSidebar, useIsWide, useSidebarWanted } from './sidebar/sidebar-state.ts';
import { SkipLink } from './skip-link.tsx';
import { useAskedWho } from '../app/who-state.ts';
import { fromHere } from '../app/from-here.ts';
import { ViewingBar } from './viewing-bar.tsx';
import { TableHeader } from './table-header.tsx';
import { freeName } from '../view-type/view-types.ts';
import { undoDeletion } from '../record-data/restore-table.ts';
import { useUndoKeys } from '../record-data/undo/use-undo-keys.ts';

// Few visits need them.
const FilePreview = lazy(async () => ({
  default: (await import('../field-type/attachment/file-preview.tsx')).FilePreview,
}));
const WhoDialog = lazy(async () => ({ default: (await import('../base/rights/who-dialog.tsx')).WhoDialog }));
const ImportDialog = lazy(async () => ({ default: (await import('../import/import-dialog.tsx')).ImportDialog }));

const withoutTable = {
  undo: async () => {
    const deleted = takeDeletion('any');
    if (deleted !== undefined) await undoDeletion(deleted);
  },
  redo: async () => undefined,
};

/** The frame of everything inside a base: its tables and views on the left, where you are above. */
/** Notes stand beside the sidebar. */
const besideSidebar = (aside: HTMLElement | null): void =>
  document.documentElement.style.setProperty('--beside-sidebar', `${aside?.offsetWidth ?? 0}px`);

export const BasePage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const { tableId } = useParams({ strict: false });
  const base = useQuery(baseQuery(baseId));
  const tables = useQuery(tablesQuery(baseId));
  const space = useQuery(spacesQuery).data?.find(({ id }) => id === base.data?.spaceId);
  const navigate = useNavigate();
  const isWide = useIsWide();
  const isWanted = useSidebarWanted();
  const isTable = useLocation({ select: ({ pathname }) => tableId !== undefined && pathname.endsWith(tableId) });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [naming, setNaming] = useState<{ kind: 'table' | 'folder' | 'dashboard'; parentId: string | null } | null>(
    null,
  );
  const [importing, setImporting] = useState<Partial<BroughtFile> | null>(null);
  const brought = useBroughtFile(baseId);
  useEffect(() => {
    if (brought === undefined) return;
    setImporting(brought);
    forgetFile();
  }, [brought]);
  const mayImport = base.data !== undefined && allows(standingIn(base.data), 'base|table_import');
  const drop = useFileDrop(
    mayImport
      ? (files) => {
          const file = importableOf(files);
          if (file !== undefined) setImporting({ file });
        }
      : undefined,
  );
  // A base without a table has no other undo.
  useUndoKeys(withoutTable, { isCovered: tableId !== undefined, beginsInText: true });
  const isLooking = usePreview() !== null;
  const askedWho = useAskedWho();
  const table = tables.data?.find(({ id }) => id === tableId);
  useTitle(table?.name ?? base.data?.name);
  // The table asks for these as soon as it is there; until then they are on their way.
  useEffect(() => {
    if (tableId !== undefined)
      void Promise.all([
        queryClient.prefetchQuery(viewsQuery(tableId)),
        queryClient.prefetchQuery(fieldsQuery(tableId)),
      ]);
  }, [tableId]);
  const spaceId = base.data?.spaceId;
  useEffect(() => {
    if (spaceId !== undefined) noteBase({ id: baseId, spaceId });
  }, [baseId, spaceId]);

  const addTable = async (name: string): Promise<void> => {
    const leadOn = fromHere();
    const parentId = naming?.parentId ?? null;
    const id =
      parentId === null
        ? (await call(createTable, { params: { baseId }, body: { name, fields: firstFields } })).id
        : (
            await call(createNode, {
              params: { baseId },
              body: { resourceType: 'table', name, fields: firstFields, parentId },
            })
          ).resourceId;
    await reloadTables(baseId);
    await leadOn(() => navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: id } }));
    setDrawerOpen(false);
  };

  const addFolder = async (name: string): Promise<void> => {
    await call(createFolder, { params: { baseId }, body: { name } });
    await reloadTables(baseId);
  };

  const addDashboard = async (name: string): Promise<void> => {
    const leadOn = fromHere();
    const { id } = await call(createDashboard, { params: { baseId }, body: { name } });
    await reloadTables(baseId);
    await leadOn(() => navigate({ to: '/base/$baseId/dashboard/$dashboardId', params: { baseId, dashboardId: id } }));
    setDrawerOpen(false);
  };

  const namings = {
    table: { title: 'New table', initial: freeName('Table', tables.data ?? []), onSubmit: addTable },
    folder: { title: 'New folder', initial: 'Folder', onSubmit: addFolder },
    dashboard: { title: 'New dashboard', initial: 'Dashboard', onSubmit: addDashboard },
  };

  const problem = base.error ?? tables.error;
  // A base that can no longer be seen is not left standing as it was last.
  if (problem !== null && (base.data === undefined || isFinal(base.error))) {
    return (
      <>
        <TopBar />
        <ErrorPage error={problem} />
      </>
    );
  }
  const sidebar = (onClose: () => void) =>
    base.data !== undefined && (
      <BaseSidebar
        base={base.data}
        space={space}
        tables={tables.data ?? []}
        tableId={tableId}
        onAddTable={(parentId) => setNaming({ kind: 'table', parentId })}
        onAddFolder={() => setNaming({ kind: 'folder', parentId: null })}
        onAddDashboard={() => setNaming({ kind: 'dashboard', parentId: null })}
        onImport={() => setImporting({})}
        onClose={onClose}
      />
    );
  const isBeside = isWide && isWanted;

  return (
    <div className="relative flex min-h-0 flex-1" {...drop.handlers}>
      {isTable && <SkipLink />}
      {isBeside && (
        <aside
          ref={besideSidebar}
          aria-label="Tables and views"
          className="flex w-60 shrink-0 max-md:hidden flex-col border-r border-line bg-canvas print:hidden"
        >
          {sidebar(toggleSidebar)}
        </aside>
      )}
      {!isWide && (
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
              {sidebar(() => setDrawerOpen(false))}
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <ViewingBar baseId={baseId} />
        <TableHeader
          title={table?.name ?? base.data?.name ?? ''}
          icon={table?.icon}
          onSidebar={isBeside ? undefined : isWide ? toggleSidebar : () => setDrawerOpen(true)}
          actions={tableId !== undefined && <PresentPeople tableId={tableId} />}
          isHeading={isTable}
        />
        {base.data === undefined || tables.data === undefined ? <Loading /> : <Outlet />}
      </div>
      {drop.isOver && <DropNote>Drop a CSV, Excel or JSON file to make a table of it</DropNote>}
      {naming !== null && <NameDialog {...namings[naming.kind]} action="Create" onClose={() => setNaming(null)} />}
      {importing !== null && (
        <Suspense fallback={null}>
          <ImportDialog
            baseId={baseId}
            given={importing.file}
            tableName={importing.tableName}
            onClose={() => setImporting(null)}
          />
        </Suspense>
      )}
      {askedWho !== null && (
        <Suspense fallback={null}>
          <WhoDialog baseId={baseId} asked={askedWho} />
        </Suspense>
      )}
      {isLooking && (
        <Suspense fallback={null}>
          <FilePreview />
        </Suspense>
      )}
      <PressDialog />
      <UploadsNote />
    </div>
  );
};
