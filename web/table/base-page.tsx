import { createTable } from '@rowhouse/contract/table.ts';
import { allows } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronRight, Users } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { useTitle } from '../app/title.ts';
import { TopBar } from '../app/top-bar.tsx';
import { spacesQuery } from '../home/spaces-query.ts';
import { PresentPeople } from '../presence/present-people.tsx';
import { Loading } from '../ui/loading.tsx';
import { showProblem } from '../ui/toast.ts';
import { baseQuery, fieldsQuery, tablesQuery, viewsQuery } from './queries.ts';
import { TableTabs } from './table-tabs.tsx';

/** The frame of everything inside a base: where you are, and its tables as tabs. */
export const BasePage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const { tableId } = useParams({ strict: false });
  const base = useQuery(baseQuery(baseId));
  const tables = useQuery(tablesQuery(baseId));
  const space = useQuery(spacesQuery).data?.find(({ id }) => id === base.data?.spaceId);
  const navigate = useNavigate();
  useTitle(tables.data?.find(({ id }) => id === tableId)?.name ?? base.data?.name);
  // The table asks for these as soon as it is there; until then they are on their way.
  useEffect(() => {
    if (tableId !== undefined) void Promise.all([queryClient.prefetchQuery(viewsQuery(tableId)), queryClient.prefetchQuery(fieldsQuery(tableId))]);
  }, [tableId]);

  const addTable = async (): Promise<void> => {
    try {
      const { id } = await call(createTable, { params: { baseId }, body: { name: 'Table' } });
      await queryClient.invalidateQueries({ queryKey: tablesQuery(baseId).queryKey });
      await navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: id } });
    } catch (error) {
      showProblem(error, 'The table was not created.');
    }
  };

  const problem = base.error ?? tables.error;
  if (problem !== null && base.data === undefined) {
    return (
      <>
        <TopBar />
        <ErrorPage error={problem} />
      </>
    );
  }
  return (
    <>
      <TopBar actions={tableId !== undefined && <PresentPeople tableId={tableId} />}>
        {space !== undefined && (
          <>
            <Link to="/space/$spaceId" params={{ spaceId: space.id }} className="hidden max-w-48 truncate text-ink-soft hover:text-ink sm:block">
              {space.name}
            </Link>
            <ChevronRight size={15} className="hidden shrink-0 text-ink-faint sm:block" aria-hidden />
          </>
        )}
        <span className="truncate font-semibold">{base.data?.name}</span>
        <Link to="/base/$baseId/people" params={{ baseId }} aria-label="People of this base" title="People of this base" className="shrink-0 rounded-lg p-1.5 text-ink-soft hover:bg-sunken hover:text-ink">
          <Users size={16} aria-hidden />
        </Link>
      </TopBar>
      {base.data === undefined || tables.data === undefined ? (
        <Loading />
      ) : (
        <>
          <TableTabs baseId={baseId} tables={tables.data} role={base.data.role} onAdd={allows(base.data.role, 'table|create') ? () => void addTable() : undefined} />
          <Outlet />
        </>
      )}
    </>
  );
};
