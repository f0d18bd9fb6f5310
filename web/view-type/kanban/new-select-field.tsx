import { createField } from '@rowhouse/contract/field.ts';
import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { showProblem } from '../../ui/toast.ts';
import { firstChoices } from '../../record-data/new-table.ts';
import { fieldsQuery } from '../../record-data/queries.ts';

/** A field to make stacks of, with the choices most boards begin with. */
export const NewSelectField = ({ tableId }: { tableId: string }) => {
  const create = useMutation({
    mutationFn: () =>
      call(createField, {
        params: { tableId },
        body: {
          name: 'Status',
          type: 'singleSelect',
          options: { choices: firstChoices },
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey }),
    onError: (error) => showProblem(error, 'The field was not added.'),
  });
  return (
    <Button look="primary" icon={<Plus size={16} />} busy={create.isPending} onClick={() => create.mutate()}>
      Add a status field
    </Button>
  );
};
