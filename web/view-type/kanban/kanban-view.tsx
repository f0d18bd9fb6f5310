import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { allows, type Standing } from '../../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { SquareKanban } from 'lucide-react';
import { queryClient } from '../../app/query-client.ts';
import { newStep } from '../../app/window-steps.ts';
import { Loading } from '../../ui/loading.tsx';
import { showProblem } from '../../ui/toast.ts';
import { choicesOf } from '../../field-type/cell/cell-parts.ts';
import { linkOptionsOf } from '../../field-type/link/linked.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { isHidden, orderedFields } from '../../record-data/columns.ts';
import { unseen } from '../../record-data/edit-answers.ts';
import { changeField } from '../../field-type/field/change-field.ts';
import { MissingField } from '../../ui/empty-state.tsx';
import { ownQueryOf } from '../../record-data/own-query.ts';
import { fieldsQuery, recordsKey } from '../../record-data/queries.ts';
import { makeRecords, placeRecords } from '../../record-data/undo/records.ts';
import { useAddRecord } from '../../record-data/use-add-record.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { coverOf } from '../card/card-cover.tsx';
import type { CardMove } from './card-move.ts';
import { totalOf } from './stack-total.ts';
import { KanbanColumn } from './kanban-column.tsx';
import { NewSelectField } from './new-select-field.tsx';
import { NewStack } from './new-stack.tsx';
import { type Destination, reordered } from '../../ui/reorder.ts';
import { SortableStacks } from './sortable-stacks.tsx';
import { cellOfStack, mostStacks, stackFieldOf, useStacks } from './use-stacks.ts';

interface KanbanViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Standing;
  records: TableRecords;
  search: string;
  onOpen: (recordId: string) => void;
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
}

/** A stack per choice, or per record that a link leads to; cards move between them, and within them where the view is not sorted. */
export const KanbanView = ({
  tableId,
  view,
  fields,
  people,
  role,
  records,
  search,
  onOpen,
  onFiles,
}: KanbanViewProps) => {
  const stack = stackFieldOf(view, fields);
  const found = useStacks(tableId, stack, people);
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field) && field.id !== stack?.id);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const mayEdit = allows(role, 'record|update');
  const mayChangeFields = allows(role, 'field|update');
  const isSorted = (view.sort?.sortObjs.length ?? 0) > 0 && view.sort?.manualSort !== true;
  const mayChangeView = useMayChangeView(view, role);
  const mayOrder = mayEdit && mayChangeView && !isSorted && ownQueryOf(view.id) === undefined;

  if (stack === undefined) {
    return (
      <MissingField
        icon={<SquareKanban size={20} />}
        title="A board needs a select field, a person field or a link to one record"
        action={mayChangeFields && <NewSelectField tableId={tableId} />}
      >
        Each choice of the field, each person, or each record that can be linked, becomes a stack of cards.
      </MissingField>
    );
  }
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  if (found === undefined) return <Loading what="Loading stacks" />;
  const stacks = found.slice(0, mostStacks);
  const isLink = stack.type === 'link';
  const move = async ({ recordId, choice, from, beside }: CardMove): Promise<void> => {
    const { edits } = records;
    // One gesture, one step.
    const step = newStep();
    try {
      if (
        choice !== from &&
        (await edits.edit(
          [
            {
              recordId,
              fieldId: stack.id,
              value: cellOfStack(stack, stacks, choice),
              before: from === undefined ? unseen : cellOfStack(stack, stacks, from),
            },
          ],
          { step },
        )) !== 'written'
      )
        return void reload();
      if (beside !== undefined && mayOrder && beside.recordId !== recordId) {
        await edits.inTurn(() =>
          placeRecords(
            tableId,
            view.id,
            { recordIds: [recordId], anchorId: beside.recordId, position: beside.position },
            step,
          ),
        );
      }
    } catch (error) {
      showProblem(error, 'The card was not moved.');
    }
    await reload();
  };
  const addRecordStack = async (name: string): Promise<void> => {
    const { foreignTableId } = linkOptionsOf(stack);
    const primary = (await queryClient.ensureQueryData(fieldsQuery(foreignTableId))).find(
      ({ isPrimary }) => isPrimary === true,
    );
    if (primary !== undefined)
      await makeRecords(foreignTableId, {
        records: [{ fields: { [primary.id]: name } }],
        fieldKeyType: 'id',
        typecast: true,
      });
    await reload();
  };
  const addChoice = async (name: string): Promise<void> => {
    const choices = choicesOf(stack);
    await changeField(tableId, stack, {
      type: stack.type,
      options: { ...stack.options, choices: [...choices, { name }] },
    });
    await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  };
  const placeStack = async (key: string, { anchorId, position }: Destination): Promise<void> => {
    if (position === 'into') return;
    const names = reordered(
      stacks.map((one) => one.key),
      key,
      anchorId,
      position,
    );
    const choices = choicesOf(stack).toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
    try {
      await changeField(tableId, stack, { type: stack.type, options: { ...stack.options, choices } });
    } catch (error) {
      showProblem(error, 'The stack was not moved.');
    }
    await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  };
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Board by ${stack.name}`}
      className="flex min-h-0 flex-1 gap-3 overflow-x-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4 print:flex-wrap print:overflow-visible"
    >
      <SortableStacks
        stacks={stacks}
        onPlace={stack.type === 'singleSelect' && mayChangeFields ? (key, to) => void placeStack(key, to) : undefined}
      >
        {(one, handle) => (
          <KanbanColumn
            handle={handle}
            total={totalOf(view, fields)}
            tableId={tableId}
            view={view}
            field={stack}
            stack={one}
            stacks={stacks}
            fields={shown}
            cover={coverOf(view, fields)}
            search={search}
            mayEdit={mayEdit}
            mayOrder={mayOrder}
            onMove={(to) => void move(to)}
            onOpen={onOpen}
            onFiles={onFiles}
            onAdd={
              allows(role, 'record|create')
                ? () =>
                    void addRecord(one === null ? {} : { [stack.id]: cellOfStack(stack, stacks, one.key) }).then(
                      (id) => id !== undefined && onOpen(id),
                    )
                : undefined
            }
          />
        )}
      </SortableStacks>
      {found.length > mostStacks && (
        <p className="w-56 shrink-0 text-[13px] text-ink-soft">
          {stack.type === 'user'
            ? `Only the first ${mostStacks} people have a stack.`
            : `Only the first ${mostStacks} records have a stack. Let the link offer the records of a view to choose which.`}
        </p>
      )}
      {isLink
        ? allows(role, 'record|create') && found.length < mostStacks && <NewStack onAdd={addRecordStack} />
        : mayChangeFields && stack.type === 'singleSelect' && <NewStack onAdd={addChoice} />}
    </div>
  );
};
