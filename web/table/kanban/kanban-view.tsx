import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { SquareKanban } from 'lucide-react';
import { queryClient } from '../../app/query-client.ts';
import { showProblem } from '../../ui/toast.ts';
import { choicesOf } from '../cell/cell-text.ts';
import type { BasePerson } from '../editor/editor-props.ts';
import { isHidden, orderedFields } from '../columns.ts';
import { changeField } from '../field/change-field.ts';
import { MissingField } from '../../ui/empty-state.tsx';
import { ownQueryOf } from '../own-query.ts';
import { fieldsQuery, recordsKey } from '../queries.ts';
import { useAddRecord } from '../use-add-record.ts';
import type { TableRecords } from '../use-table-records.ts';
import { coverOf } from '../view/card-cover.tsx';
import { type RecordRun, type Placement, placementOperation, placeRecords } from '../undo/place-records.ts';
import type { Beside, CardMove } from './card-move.ts';
import { KanbanColumn } from './kanban-column.tsx';
import { NewSelectField } from './new-select-field.tsx';
import { NewStack } from './new-stack.tsx';

export interface KanbanViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Role;
  records: TableRecords;
  search: string;
  onOpen: (recordId: string) => void;
}

export const stackFields = (fields: readonly Field[]): Field[] => fields.filter(({ type }) => type === 'singleSelect');

export const stackFieldOf = (view: View, fields: readonly Field[]): Field | undefined => stackFields(fields).find(({ id }) => id === view.options['stackFieldId']) ?? stackFields(fields)[0];

/** A stack per choice; cards move between them, and within them where the view is not sorted. */
export const KanbanView = ({ tableId, view, fields, people, role, records, search, onOpen }: KanbanViewProps) => {
  const stack = stackFieldOf(view, fields);
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field) && field.id !== stack?.id);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const mayEdit = allows(role, 'record|update');
  const mayChangeFields = allows(role, 'field|update');
  const isSorted = (view.sort?.sortObjs.length ?? 0) > 0 && view.sort?.manualSort !== true;
  const mayOrder = mayEdit && allows(role, 'view|update') && view.isLocked !== true && !isSorted && ownQueryOf(view.id) === undefined;

  if (stack === undefined) {
    return (
      <MissingField icon={<SquareKanban size={20} />} title="A board needs a select field" action={mayChangeFields && <NewSelectField tableId={tableId} />}>
        Each choice of the field becomes a stack of cards.
      </MissingField>
    );
  }
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  const move = async ({ recordId, choice, from, beside, stood }: CardMove): Promise<void> => {
    const { edits, undo } = records;
    const placeAt = ({ recordId: anchorId, position }: Beside): RecordRun => ({ recordIds: [recordId], anchorId, position });
    try {
      const isRestacked = choice !== from;
      if (isRestacked && !(await edits.edit([{ recordId, fieldId: stack.id, value: choice }]))) return;
      if (beside !== undefined && mayOrder && beside.recordId !== recordId) {
        const restacked = isRestacked ? undo.last() : undefined;
        const placement: Placement = { tableId, viewId: view.id, to: [placeAt(beside)], from: stood === undefined ? [] : [placeAt(stood)] };
        await edits.inTurn(() => placeRecords(placement));
        // One gesture, one step.
        const back = stood === undefined ? undefined : placementOperation(placement);
        if (restacked === undefined) undo.did(back);
        else undo.extend(restacked, back);
      }
    } catch (error) {
      showProblem(error, 'The card was not moved.');
    }
    await reload();
  };
  const choices = choicesOf(stack);
  const addStack = async (name: string): Promise<void> => {
    await changeField(tableId, stack, { type: stack.type, options: { ...stack.options, choices: [...choices, { name }] } });
    await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  };
  return (
    <div tabIndex={0} role="region" aria-label={`Board by ${stack.name}`} className="flex min-h-0 flex-1 gap-3 overflow-x-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4 print:flex-wrap print:overflow-visible">
      {[null, ...choices].map((choice) => (
        <KanbanColumn
          key={choice?.id ?? 'none'}
          tableId={tableId}
          view={view}
          stack={stack}
          choice={choice}
          choices={choices}
          fields={shown}
          cover={coverOf(view, fields)}
          search={search}
          mayEdit={mayEdit}
          mayOrder={mayOrder}
          onMove={(to) => void move(to)}
          onOpen={onOpen}
          onAdd={allows(role, 'record|create') ? () => void addRecord(choice === null ? {} : { [stack.id]: choice.name }).then((id) => id !== undefined && onOpen(id)) : undefined}
        />
      ))}
      {mayChangeFields && <NewStack onAdd={addStack} />}
    </div>
  );
};
