// A base without a table named in the address: the table one was in last, else the first, or the way to make one.
import { getLastVisit } from '@rowhouse/contract/last-visit.ts';
import { allows, standingIn } from '../app/standing.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Sheet } from 'lucide-react';
import { useLayoutEffect } from 'react';
import { call } from '../app/call.ts';
import { fromHere } from '../app/from-here.ts';
import { StartForm } from '../home/start/start-form.tsx';
import { startTable } from '../home/start/start-table.ts';
import { bringFile } from '../import/brought-file.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { baseQuery, reloadTables, tablesQuery } from '../record-data/queries.ts';

interface ForwardProps {
  baseId: string;
  tableId: string;
  viewId: string | undefined;
}

/** Leads on, unless the person has gone elsewhere while the table was looked up: this page stays until that one is there. */
const Forward = ({ baseId, tableId, viewId }: ForwardProps) => {
  const navigate = useNavigate();
  const { history } = useRouter();
  useLayoutEffect(() => {
    if (history.location.pathname !== `/base/${baseId}`) return;
    void navigate({
      to: '/base/$baseId/$tableId',
      params: { baseId, tableId },
      search: viewId === undefined ? {} : { view: viewId },
      replace: true,
    });
  }, [baseId, tableId, viewId, navigate, history]);
  return null;
};

export const FirstTablePage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate();
  const base = useQuery(baseQuery(baseId)).data;
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const last = useQuery({
    queryKey: ['last-table', baseId],
    queryFn: ({ signal }) => call(getLastVisit, { query: { resourceType: 'table', parentResourceId: baseId }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const [first] = tables;
  if (first !== undefined) {
    if (last.isPending) return <Loading />;
    const place = tables.some(({ id }) => id === last.data?.resourceId) ? last.data : undefined;
    return (
      <Forward baseId={baseId} tableId={place?.resourceId ?? first.id} viewId={place?.childResourceId ?? undefined} />
    );
  }
  return (
    <main className="flex min-h-0 w-full flex-1 flex-col overflow-y-auto bg-surface p-6">
      <div className="m-auto w-full max-w-2xl">
        {base !== undefined && allows(standingIn(base), 'table|create') ? (
          <>
            <h2 className="text-[20px] font-semibold tracking-tight">Create the first table</h2>
            <p className="mt-1 mb-5 text-ink-soft">Start typing right away, begin with a template, or import a file.</p>
            <StartForm
              label="Name"
              placeholder="Table 1"
              action="Create table"
              onStart={async (name, source) => {
                if (source.kind === 'file') return bringFile(baseId, { file: source.file, tableName: name });
                const leadOn = fromHere();
                const tableId = await startTable(base, name, source);
                await reloadTables(baseId);
                await leadOn(() => navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId } }));
              }}
            />
          </>
        ) : (
          <EmptyState icon={<Sheet size={20} />} title="No tables yet">
            Creators and owners of this base can add tables.
          </EmptyState>
        )}
      </div>
    </main>
  );
};
