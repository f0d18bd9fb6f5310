import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { Columns3 } from 'lucide-react';
import { queryClient } from '../../app/query-client.ts';
import { choicesOf } from '../cell/cell-text.ts';
import { isHidden, orderedFields } from '../columns.ts';
import { MissingField } from '../missing-field.tsx';
import { recordsKey } from '../queries.ts';
import type { TableRecords } from '../use-table-records.ts';
import { KanbanColumn } from './kanban-column.tsx';

export interface KanbanViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  role: Role;
  records: TableRecords;
  onOpen: (recordId: string) => void;
}

export const stackFieldOf = (view: View, fields: readonly Field[]): Field | undefined =>
  fields.find((field) => field.id === view.options['stackFieldId']) ?? fields.find((field) => field.type === 'singleSelect');

/** A column per choice; cards move between them. */
export const KanbanView = ({ tableId, view, fields, role, records, onOpen }: KanbanViewProps) => {
  const stack = stackFieldOf(view, fields);
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field));

  if (stack === undefined || stack.type !== 'singleSelect') {
    return (
      <MissingField icon={<Columns3 size={20} />} title="No select field">
        Add a select field in a grid view; its choices become the columns here.
      </MissingField>
    );
  }
  const move = async (recordId: string, choice: string | null): Promise<void> => {
    await records.edits.edit([{ recordId, fieldId: stack.id, value: choice }]);
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  const choices = choicesOf(stack);
  return (
    <div tabIndex={0} role="region" aria-label={`Board by ${stack.name}`} className="flex min-h-0 flex-1 gap-3 overflow-x-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4">
      {[null, ...choices].map((choice) => (
        <KanbanColumn key={choice?.id ?? 'none'} tableId={tableId} viewId={view.id} stack={stack} choice={choice} choices={choices} fields={shown} mayEdit={allows(role, 'record|update')} mayCreate={allows(role, 'record|create')} onMove={move} onOpen={onOpen} />
      ))}
    </div>
  );
};
