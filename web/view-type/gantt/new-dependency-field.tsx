import { createField } from '@rowhouse/contract/field.ts';
import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fieldsQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { showProblem } from '../../ui/toast.ts';

/** A link of the table to itself. */
export const NewDependencyField = ({ tableId, onMade }: { tableId: string; onMade: (fieldId: string) => void }) => {
  const create = useMutation({
    mutationFn: () =>
      call(createField, {
        params: { tableId },
        body: {
          name: 'Waits for',
          type: 'link',
          options: { relationship: 'manyMany', foreignTableId: tableId },
        },
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
      onMade(id);
    },
    onError: (error) => showProblem(error, 'The field was not added.'),
  });
  return (
    <div>
      <p className="mb-1.5 text-[13px] text-ink-soft">
        A link between records of this table says which of them wait for which.
      </p>
      <Button size="small" icon={<Plus size={15} />} busy={create.isPending} onClick={() => create.mutate()}>
        Add “Waits for”
      </Button>
    </div>
  );
};
