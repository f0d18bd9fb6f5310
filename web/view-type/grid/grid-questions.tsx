// What a grid asks its reader: the menus of rows, groups and columns, and the dialogs that they lead to.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { Rectangle } from './canvas/grid-props.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/toast.ts';
import type { NewColumn } from './clipboard/columns-beyond.ts';
import { askWho } from '../../app/who-state.ts';
import { type ColumnAsk, ColumnMenu } from './column-menu.tsx';
import { type Column, orderBetween } from '../../record-data/columns.ts';
import { EditRecordsDialog } from './bulk/edit-records-dialog.tsx';
import { writeBulk } from './bulk/write-bulk.ts';
import { DeleteManyDialog } from './delete-many-dialog.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { FieldDialog } from '../../field-type/field/field-dialog.tsx';
import { GroupMenu } from './group/group-menu.tsx';
import type { GroupHeader } from './group/group-rows.ts';
import { MoreColumnsDialog } from './more-columns-dialog.tsx';
import { askForFilter } from '../query/filter-popover.tsx';
import type { ViewQuery } from '../query/use-view-query.ts';
import { linkOptionsOf } from '../../field-type/link/linked.ts';
import { reloadFields } from '../../record-data/queries.ts';
import { RowMenu } from './row-menu.tsx';
import { activeRecordOf, noSelection, type RecordSelection } from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { Meant, Progress } from '../../record-data/undo/records.ts';
import type { ColumnActions } from './use-column-actions.ts';
import type { GridActions } from './use-grid-actions.ts';
import type { TableRecords } from '../../record-data/table-records.ts';

export type Asking =
  | { kind: 'row'; recordId: string; at: Rectangle }
  | { kind: 'group'; header: GroupHeader; at: Rectangle }
  | { kind: 'column'; fieldId: string; together: readonly string[]; at: Rectangle }
  | { kind: 'field'; field?: Field; orderIndex?: number; at?: Rectangle | undefined }
  | { kind: 'more-columns'; columns: readonly NewColumn[]; answer: (answer: 'add' | 'leave out' | undefined) => void }
  | { kind: 'delete-field'; field: Field }
  | { kind: 'delete-records'; meant: Meant; count: number }
  | { kind: 'edit-records'; count: number; ticked: RecordSelection['ticked'] };

export const isMenu = (asking: Asking | null): boolean =>
  asking !== null && ['row', 'group', 'column'].includes(asking.kind);

/** Where the record is open, in this view. */
const recordAddress = (recordId: string): string => {
  const address = new URL(globalThis.location.href);
  address.searchParams.set('record', recordId);
  return address.href;
};

interface GridQuestionsProps {
  asking: Asking;
  /** Asks something else, or nothing more. */
  onAsk: (next: Asking | null) => void;
  /** A menu closes: what it led to stays. */
  onMenuClosed: () => void;
  tableId: string;
  view: View;
  columns: readonly Column[];
  fields: readonly Field[];
  people: readonly BasePerson[];
  may: { edit: boolean; create: boolean; remove: boolean; fields: boolean; view: boolean; rights: boolean };
  records: TableRecords;
  cursor: Cursor;
  query: ViewQuery;
  actions: GridActions;
  columnActions: ColumnActions;
  groups: { collapseAll: () => void; expandAll: () => void; appendTo: (header: GroupHeader) => void };
  onOpen: (recordId: string) => void;
  onInsert: (recordId: string, position: 'before' | 'after') => void;
  editTicked: () => void;
  removeTicked: () => void;
  remove: (meant: Meant, onProgress: (progress: Progress) => void) => Promise<void>;
  returnFocus: () => void;
}

export const GridQuestions = ({
  asking,
  onAsk,
  onMenuClosed,
  tableId,
  view,
  columns,
  fields,
  people,
  may,
  records,
  cursor,
  query,
  actions,
  columnActions,
  groups,
  onOpen,
  onInsert,
  editTicked,
  removeTicked,
  remove,
  returnFocus,
}: GridQuestionsProps) => {
  const { window, undo } = records;
  const close = (): void => onAsk(null);
  const { ticked } = cursor.meant;

  const hideFields = (ids: readonly string[]): void => {
    const hidden = columns.filter(({ field }) => ids.includes(field.id) && field.isPrimary !== true);
    columnActions.setMeta(Object.fromEntries(hidden.map(({ field }) => [field.id, { hidden: true }])));
    cursor.select(noSelection);
  };
  const removeField = async (field: Field): Promise<void> => {
    const step = await columnActions.remove(field);
    showToast({
      kind: 'note',
      title: `${field.name} deleted.`,
      about: step,
      action: { label: 'Undo', run: () => void undo.undo(step) },
    });
  };
  const doWithColumn = (
    column: Column,
    together: readonly string[],
    at: Rectangle,
  ): Record<ColumnAsk, () => unknown> => {
    const place = columns.indexOf(column);
    const fieldId = column.field.id;
    return {
      edit: () => onAsk({ kind: 'field', field: column.field, at }),
      'insert-left': () =>
        onAsk({ kind: 'field', orderIndex: orderBetween(columns[place - 1]?.order, column.order), at }),
      'insert-right': () =>
        onAsk({ kind: 'field', orderIndex: orderBetween(column.order, columns[place + 1]?.order), at }),
      delete: () => onAsk({ kind: 'delete-field', field: column.field }),
      hide: () => hideFields(together),
      'sort-up': () => query.setSort([{ fieldId, order: 'asc' }]),
      'sort-down': () => query.setSort([{ fieldId, order: 'desc' }]),
      group: () =>
        query.setGroup(
          [
            ...(view.group ?? []).filter((group) => group.fieldId !== fieldId),
            { fieldId, order: 'asc' as const },
          ].slice(-3),
        ),
      filter: () => askForFilter(fieldId),
      freeze: () => columnActions.setOptions({ frozenColumnCount: place + 1 }),
      duplicate: () => columnActions.duplicate(column.field).then(() => window.reload()),
    };
  };

  switch (asking.kind) {
    case 'row': {
      const recordIds = !ticked.all && ticked.ids.has(asking.recordId) ? [...ticked.ids] : [asking.recordId];
      return (
        <RowMenu
          at={asking.at}
          count={recordIds.length}
          canCreate={may.create}
          canDelete={may.remove}
          onEditAll={may.edit && recordIds.length > 1 ? editTicked : undefined}
          onClose={onMenuClosed}
          returnFocus={returnFocus}
          onOpen={() => onOpen(asking.recordId)}
          onDuplicate={() => void actions.duplicate(asking.recordId)}
          onInsert={(position) => onInsert(asking.recordId, position)}
          onCopyLink={() => void copyText(recordAddress(asking.recordId), 'Link copied.')}
          onDelete={() => (recordIds.length > 1 ? removeTicked() : void actions.remove({ recordIds }))}
        />
      );
    }
    case 'group':
      return (
        <GroupMenu
          at={asking.at}
          onClose={onMenuClosed}
          returnFocus={returnFocus}
          onCollapseAll={groups.collapseAll}
          onExpandAll={groups.expandAll}
          onAdd={may.create ? () => groups.appendTo(asking.header) : undefined}
        />
      );
    case 'column': {
      const column = columns.find(({ field }) => field.id === asking.fieldId);
      if (column === undefined) return null;
      return (
        <ColumnMenu
          field={column.field}
          count={asking.together.length}
          at={asking.at}
          canChangeFields={may.fields}
          canChangeView={may.view}
          onWho={may.rights ? () => askWho({ tableId, fieldId: column.field.id, name: column.field.name }) : undefined}
          onClose={onMenuClosed}
          onAsk={(what) => void doWithColumn(column, asking.together, asking.at)[what]()}
          onStatistic={(statisticFunc) => columnActions.setMeta({ [column.field.id]: { statisticFunc } })}
        />
      );
    }
    case 'field':
      return (
        <FieldDialog
          tableId={tableId}
          field={asking.field}
          at={asking.at}
          people={people}
          fields={fields}
          recordId={activeRecordOf(cursor.meant)}
          order={asking.orderIndex === undefined ? undefined : { viewId: view.id, orderIndex: asking.orderIndex }}
          onClose={close}
          onSaved={() => reloadFields(tableId, window.reload)}
        />
      );
    case 'more-columns':
      return (
        <MoreColumnsDialog
          columns={asking.columns}
          onAnswer={(answer) => {
            close();
            asking.answer(answer);
          }}
        />
      );
    case 'delete-records':
      return (
        <DeleteManyDialog
          count={asking.count}
          onClose={close}
          onConfirm={(onProgress) => remove(asking.meant, onProgress)}
        />
      );
    case 'edit-records':
      return (
        <EditRecordsDialog
          tableId={tableId}
          viewId={view.id}
          fields={columns.map(({ field }) => field).filter(({ isComputed }) => isComputed !== true)}
          people={people}
          count={asking.count}
          ticked={asking.ticked}
          records={records}
          onSave={(chosen, values, options) => writeBulk({ tableId, view, records, cursor }, chosen, values, options)}
          onClose={close}
        />
      );
    case 'delete-field':
      return (
        <ConfirmDialog
          title={`Delete ${asking.field.name}?`}
          description={`You can restore it, with its values, from History. Filters, sorts and groups by it are removed from the views.${linkOptionsOf(asking.field).symmetricFieldId === undefined ? '' : ' The field that shows this link in the other table is deleted, too.'}`}
          action="Delete field"
          onClose={close}
          onConfirm={() => removeField(asking.field)}
        />
      );
  }
};
