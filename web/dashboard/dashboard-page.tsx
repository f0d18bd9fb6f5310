// A dashboard: its charts on their grid, the filters above them, and the records behind what is pressed.
import type { DashboardItem } from '@rowhouse/contract/dashboard.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChartColumn, Filter, Maximize, Minimize, Plus, Share2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTitle } from '../app/brand.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { type BasePerson, fieldsQuery, peopleQuery, tablesQuery } from '../record-data/queries.ts';
import { useUndoKeys } from '../record-data/undo/use-undo-keys.ts';
import { StackedPanel } from '../record/stacked-panel.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { isFinal } from '../ui/problem.ts';
import { chartTypeWords } from './chart-types.ts';
import { dashboardActions } from './dashboard-actions.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { DashboardMenu } from './dashboard-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FiltersDialog } from './filters-dialog.tsx';
import { ItemCard } from './item-card.tsx';
import { type Direction, freePlace, samePlaces, settled, stepped } from './layout.ts';
import type { PickedRecords } from './picked.ts';
import { dashboardQuery } from './queries.ts';
import { type ReaderFilters, readFilters, tableFilters, writeFilters } from './reader-filters.ts';
import { RecordsPanel } from './records-panel.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useLiveCharts } from './use-live-charts.ts';

const ChartEditor = lazy(async () => ({ default: (await import('./editor/chart-editor.tsx')).ChartEditor }));

const noPeople: BasePerson[] = [];
const noItems: DashboardItem[] = [];

type Asking = { what: 'add' | 'share' | 'filters' } | { what: 'edit' | 'rename'; item: DashboardItem } | undefined;

const tableOf = ({ chart }: DashboardItem): string | undefined =>
  chart !== undefined && 'tableId' in chart ? chart.tableId : undefined;

export const DashboardPage = () => {
  const { baseId, dashboardId } = useParams({ from: '/signed-in/base/$baseId/dashboard/$dashboardId' });
  return <OpenDashboard key={dashboardId} baseId={baseId} dashboardId={dashboardId} />;
};

const OpenDashboard = ({ baseId, dashboardId }: { baseId: string; dashboardId: string }) => {
  const { filters: asked } = useSearch({ from: '/signed-in/base/$baseId/dashboard/$dashboardId' });
  const navigate = useNavigate({ from: '/base/$baseId/dashboard/$dashboardId' });
  const answer = useQuery(dashboardQuery(baseId, dashboardId));
  const dashboard = answer.data;
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const people = useQuery(peopleQuery(baseId)).data?.users ?? noPeople;
  const [asking, setAsking] = useState<Asking>();
  const [picked, setPicked] = useState<{ title: string; records: PickedRecords }>();
  const [opened, setOpened] = useState<readonly { tableId: string; recordId: string }[]>([]);
  const full = useFullScreen();
  const actions = useMemo(() => dashboardActions(baseId, dashboardId), [baseId, dashboardId]);
  useUndoKeys(actions, { isCovered: opened.length > 0 });
  useLiveCharts(baseId, dashboardId);
  useTitle(dashboard?.name);

  const items = dashboard?.items ?? noItems;
  const offered = dashboard?.filters ?? [];
  const tableIds = [
    ...new Set([
      ...items.flatMap((item) => tableOf(item) ?? []),
      ...offered.flatMap(({ fields }) => fields.map(({ tableId }) => tableId)),
    ]),
  ];
  const fieldsOfTables = useQueries({
    queries: tableIds.map((tableId) => ({ ...fieldsQuery(tableId), retry: false })),
    combine: (answers) => answers.map(({ data }) => data),
  });
  const fieldOf = useCallback(
    (tableId: string, fieldId: string): Field | undefined =>
      fieldsOfTables[tableIds.indexOf(tableId)]?.find(({ id }) => id === fieldId),
    [fieldsOfTables, tableIds.join(' ')],
  );
  const filters = useMemo(() => readFilters(asked), [asked]);
  const ofTables = useMemo(() => tableFilters(offered, filters, fieldOf), [offered, filters, fieldOf]);
  // What would be filtered by is not known yet: everything would be shown for a moment.
  const isReady = asked === undefined || fieldsOfTables.every((fields) => fields !== undefined);
  const setFilters = (next: ReaderFilters): void =>
    void navigate({ search: { filters: writeFilters(next) }, replace: true });

  useEffect(() => {
    if (picked !== undefined && !tableIds.includes(picked.records.tableId)) setPicked(undefined);
  }, [picked, tableIds.join(' ')]);

  if (answer.error !== null && (dashboard === undefined || isFinal(answer.error)))
    return <ErrorPage error={answer.error} />;
  if (dashboard === undefined) return <Loading />;

  const { mayChange } = dashboard;
  const places = settled(items);
  const stepOf = (id: string, direction: Direction): (() => void) | undefined => {
    if (!mayChange) return undefined;
    const next = stepped(places, id, direction);
    return samePlaces(next, places) ? undefined : () => actions.place(places, next);
  };
  const openRecord = (tableId: string, recordId: string): void => setOpened([{ tableId, recordId }]);
  const pick = (item: DashboardItem, records: PickedRecords): void =>
    records.recordId === undefined
      ? setPicked({ title: item.name, records })
      : openRecord(records.tableId, records.recordId);
  const top = opened.at(-1);
  const add = (
    <Button look="primary" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'add' })}>
      Add
    </Button>
  );
  const close = (): void => setAsking(undefined);

  const card = (id: string, grip: ReactNode) => {
    const item = items.find((one) => one.id === id);
    if (item === undefined) return null;
    return (
      <ItemCard
        baseId={baseId}
        dashboardId={dashboardId}
        item={item}
        filters={ofTables}
        isReady={isReady}
        grip={grip}
        mayChange={mayChange}
        onEdit={() => setAsking({ what: 'edit', item })}
        onRename={() => setAsking({ what: 'rename', item })}
        onDuplicate={() => item.chart !== undefined && void actions.add(item.name, item.chart, freePlace(places, item))}
        onDelete={() => void actions.remove(item)}
        onUp={stepOf(id, 'up')}
        onDown={stepOf(id, 'down')}
        onPick={(records) => pick(item, records)}
        onOpen={openRecord}
      />
    );
  };

  return (
    <main
      ref={full.place}
      className={classNames('flex min-h-0 flex-1 flex-col bg-canvas', full.isFull && 'fixed inset-0 z-30')}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2.5 sm:px-6 print:hidden">
        <h1 className="min-w-0 flex-1 truncate text-[18px] font-semibold tracking-tight">{dashboard.name}</h1>
        {mayChange && items.length > 0 && (
          <Button icon={<Filter size={15} />} look="ghost" onClick={() => setAsking({ what: 'filters' })}>
            <span className="max-sm:sr-only">Filters</span>
          </Button>
        )}
        {mayChange && (
          <Button icon={<Share2 size={15} />} look="ghost" onClick={() => setAsking({ what: 'share' })}>
            <span className="max-sm:sr-only">{dashboard.share === undefined ? 'Share' : 'Shared'}</span>
          </Button>
        )}
        <IconButton label={full.isFull ? 'Leave full screen' : 'Full screen'} onClick={full.toggle}>
          {full.isFull ? <Minimize size={17} /> : <Maximize size={17} />}
        </IconButton>
        {mayChange && <DashboardMenu baseId={baseId} dashboard={dashboard} />}
        {mayChange && items.length > 0 && add}
      </div>
      <div className="relative flex min-h-0 flex-1">
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4 sm:px-6 sm:py-5">
          <div className="mx-auto w-full max-w-[1600px]">
            <FilterBar offered={offered} filters={filters} fieldOf={fieldOf} people={people} onChange={setFilters} />
            {items.length === 0 ? (
              <div className="mx-auto max-w-xl pt-[8vh]">
                <EmptyState
                  icon={<ChartColumn size={20} />}
                  title="An empty dashboard"
                  action={mayChange ? add : undefined}
                >
                  {mayChange
                    ? 'Add a chart of any table: sales by month, tasks by person, the latest orders.'
                    : 'Owners and creators of the base can add charts.'}
                </EmptyState>
              </div>
            ) : (
              <DashboardGrid
                items={items}
                nameOf={(id) => items.find((item) => item.id === id)?.name ?? ''}
                isFluid={(id) => items.find((item) => item.id === id)?.type === 'text'}
                onPlace={mayChange ? (next) => actions.place(places, next) : undefined}
              >
                {card}
              </DashboardGrid>
            )}
          </div>
        </div>
        {picked !== undefined && top === undefined && (
          <RecordsPanel
            title={picked.title}
            picked={picked.records}
            onOpen={openRecord}
            onFilter={
              picked.records.own === null
                ? undefined
                : () => {
                    const { tableId, own, label } = picked.records;
                    if (own !== null)
                      setFilters({ ...filters, pressed: [...filters.pressed, { tableId, label, filter: own }] });
                    setPicked(undefined);
                  }
            }
            onClose={() => setPicked(undefined)}
          />
        )}
        {top !== undefined && (
          <StackedPanel
            key={`${top.tableId} ${top.recordId}`}
            baseId={baseId}
            {...top}
            people={people}
            onBack={() => setOpened(opened.slice(0, -1))}
            onClose={() => setOpened([])}
            onOpenLinked={(tableId, recordId) => setOpened([...opened, { tableId, recordId }])}
          />
        )}
      </div>
      {(asking?.what === 'add' || asking?.what === 'edit') && (
        <Suspense fallback={null}>
          <ChartEditor
            baseId={baseId}
            tables={tables}
            people={people}
            existing={asking.what === 'edit' ? { name: asking.item.name, chart: asking.item.chart } : undefined}
            onSave={(name, chart) =>
              asking.what === 'edit'
                ? actions.change(asking.item, { name, chart })
                : actions.add(name, chart, freePlace(places, chartTypeWords[chart.type].size))
            }
            onClose={close}
          />
        </Suspense>
      )}
      {asking?.what === 'rename' && (
        <NameDialog
          title="Rename chart"
          initial={asking.item.name}
          action="Rename"
          onClose={close}
          onSubmit={(name) => actions.change(asking.item, { name })}
        />
      )}
      {asking?.what === 'filters' && (
        <FiltersDialog
          filters={offered}
          tables={tables
            .filter(({ id }) => tableIds.includes(id))
            .map((table) => ({ table, fields: fieldsOfTables[tableIds.indexOf(table.id)] ?? [] }))}
          onSave={(next) => actions.setFilters(offered, next)}
          onClose={close}
        />
      )}
      {asking?.what === 'share' && <ShareDialog baseId={baseId} dashboard={dashboard} onClose={close} />}
    </main>
  );
};
