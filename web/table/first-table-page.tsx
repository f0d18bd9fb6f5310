// A base without a table named in the address: its first table, or the invitation to make one.
import { createTable } from '@rowhouse/contract/table.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Table2 } from 'lucide-react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { tablesQuery } from './queries.ts';

export const FirstTablePage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate();
  const tables = useQuery(tablesQuery(baseId)).data;
  const create = useMutation({
    mutationFn: () => call(createTable, { params: { baseId }, body: { name: 'Table 1' } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: tablesQuery(baseId).queryKey });
      await navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: id } });
    },
  });
  const [first] = tables ?? [];
  if (first !== undefined) return <Navigate to="/base/$baseId/$tableId" params={{ baseId, tableId: first.id }} replace />;
  return (
    <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center gap-4 p-6">
      <ProblemNote error={create.error} />
      <EmptyState
        icon={<Table2 size={20} />}
        title="No table yet"
        action={
          <Button look="primary" icon={<Plus size={16} />} busy={create.isPending} onClick={() => create.mutate()}>
            Create a table
          </Button>
        }
      >
        Create a table and start typing; you can paste rows from a spreadsheet too.
      </EmptyState>
    </main>
  );
};
