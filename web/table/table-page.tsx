import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorPage } from '../app/error-page.tsx';
import { RecordPanel } from '../record/record-panel.tsx';
import { Loading } from '../ui/loading.tsx';
import { FormView } from './form/form-view.tsx';
import { GridView } from './grid-view.tsx';
import { KanbanView } from './kanban/kanban-view.tsx';
import { baseQuery, fieldsQuery, peopleQuery, viewsQuery } from './queries.ts';
import type { Place } from './query/search-box.tsx';
import { useTableRecords } from './use-table-records.ts';
import { ViewBar } from './view-bar.tsx';

const noPeople: never[] = [];

export const TablePage = () => {
  const { baseId, tableId } = useParams({ from: '/signed-in/base/$baseId/$tableId' });
  const search = useSearch({ from: '/signed-in/base/$baseId/$tableId' });
  const views = useQuery(viewsQuery(tableId));
  const view = views.data?.find(({ id }) => id === search.view) ?? views.data?.[0];
  const problem = views.error;
  if (problem !== null && views.data === undefined) return <ErrorPage error={problem} />;
  if (view === undefined) return <Loading />;
  return <TableView key={`${tableId} ${view.id}`} baseId={baseId} tableId={tableId} viewId={view.id} />;
};

const TableView = ({ baseId, tableId, viewId }: { baseId: string; tableId: string; viewId: string }) => {
  const navigate = useNavigate({ from: '/base/$baseId/$tableId' });
  const { record: openId } = useSearch({ from: '/signed-in/base/$baseId/$tableId' });
  const base = useQuery(baseQuery(baseId)).data;
  const fields = useQuery(fieldsQuery(tableId));
  const views = useQuery(viewsQuery(tableId)).data ?? [];
  const people = useQuery(peopleQuery(baseId)).data?.users ?? noPeople;
  const records = useTableRecords(tableId, viewId);
  const [place, setPlace] = useState<Place>();
  const view = views.find(({ id }) => id === viewId);
  const open = (record: string | undefined): void => void navigate({ search: (before) => ({ ...before, record }), replace: true });

  if (fields.error !== null && fields.data === undefined) return <ErrorPage error={fields.error} />;
  if (fields.data === undefined || base === undefined || view === undefined) return <Loading />;
  return (
    <main className="flex min-h-0 flex-1 flex-col bg-surface">
      <ViewBar tableId={tableId} views={views} view={view} fields={fields.data} role={base.role} saving={records.edits.isSaving()} people={people} window={records.window} onGo={setPlace} />
      <div className="relative flex min-h-0 flex-1">
        {view.type === 'kanban' ? (
          <KanbanView tableId={tableId} view={view} fields={fields.data} role={base.role} records={records} onOpen={open} />
        ) : view.type === 'form' ? (
          <FormView tableId={tableId} view={view} fields={fields.data} people={people} role={base.role} />
        ) : (
          <GridView tableId={tableId} view={view} fields={fields.data} people={people} role={base.role} records={records} onOpen={open} place={place} />
        )}
        {openId !== undefined && (
          <RecordPanel key={openId} tableId={tableId} recordId={openId} view={view} fields={fields.data} people={people} role={base.role} records={records} onClose={() => open(undefined)} onOpen={open} />
        )}
      </div>
    </main>
  );
};
