// One record with all of its fields, and what happened to it.
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { isHidden, orderedFields } from '../table/columns.ts';
import type { BasePerson } from '../table/editor/editor-props.ts';
import { recordQuery } from '../table/queries.ts';
import type { TableRecords } from '../table/use-table-records.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { tabClass } from '../ui/tab-class.ts';
import { RecordField } from './record-field.tsx';
import { RecordHistory } from './record-history.tsx';

export interface RecordPanelProps {
  tableId: string;
  recordId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Role;
  records: TableRecords;
  onClose: () => void;
  onOpen: (recordId: string) => void;
}

const focusOnce = (element: HTMLElement | null): void => element?.focus();

const withHidden = (record: RecordVo, hidden: readonly string[], whole: RecordVo | undefined): RecordVo | undefined => {
  if (hidden.length === 0 || whole === undefined) return hidden.length === 0 ? record : undefined;
  const cells = hidden.flatMap((id) => (whole.fields[id] === undefined ? [] : [[id, whole.fields[id]] as const]));
  return { ...record, fields: { ...Object.fromEntries(cells), ...record.fields } };
};

export const RecordPanel = ({ tableId, recordId, view, fields, people, role, records, onClose, onOpen }: RecordPanelProps) => {
  const { window, edits } = records;
  const shown = window.find(recordId);
  // The records of a view come without the fields that it hides.
  const hidden = fields.filter((field) => isHidden(view, field)).map(({ id }) => id);
  const loaded = useQuery({ ...recordQuery(tableId, recordId), enabled: shown === undefined || hidden.length > 0 });
  const record = shown === undefined ? loaded.data : withHidden(shown, hidden, loaded.data);
  const row = window.placeOf(recordId);
  const go = (step: number): void => {
    const next = row === undefined ? undefined : window.at(row + step);
    if (next !== undefined) onOpen(next.id);
  };
  const ordered = orderedFields(fields, view);
  const mayEdit = allows(role, 'record|update');

  return (
    <aside
      aria-label="Record"
      tabIndex={-1}
      ref={focusOnce}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
      className="absolute inset-y-0 right-0 z-20 flex w-full outline-none flex-col border-l border-line bg-surface shadow-float animate-slide sm:w-[28rem]"
    >
      <div className="flex items-center gap-1 border-b border-line px-4 py-2.5">
        <h2 className="min-w-0 flex-1 truncate text-[16px] font-semibold">{record?.name === undefined || record.name === '' ? 'Unnamed record' : record.name}</h2>
        <IconButton label="Previous record" disabled={row === undefined || window.at(row - 1) === undefined} onClick={() => go(-1)}>
          <ChevronUp size={17} />
        </IconButton>
        <IconButton label="Next record" disabled={row === undefined || window.at(row + 1) === undefined} onClick={() => go(1)}>
          <ChevronDown size={17} />
        </IconButton>
        <IconButton label="Close the record" onClick={onClose}>
          <X size={17} />
        </IconButton>
      </div>
      {record === undefined ? (
        <div className="p-4">{loaded.error === null ? <Loading /> : <ProblemNote error={loaded.error} />}</div>
      ) : (
        <Tabs.Root defaultValue="fields" className="flex min-h-0 flex-1 flex-col">
          <Tabs.List aria-label="Parts of the record" className="flex gap-5 border-b border-line px-4 pt-2.5">
            <Tabs.Trigger value="fields" className={tabClass}>
              Fields
            </Tabs.Trigger>
            {mayEdit && (
              <Tabs.Trigger value="history" className={tabClass}>
                History
              </Tabs.Trigger>
            )}
          </Tabs.List>
          <Tabs.Content value="fields" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
            {[...ordered.filter((field) => !isHidden(view, field)), ...ordered.filter((field) => isHidden(view, field))].map((field) => (
              <RecordField key={`${field.id} ${field.type}`} field={field} record={record} people={people} canEdit={mayEdit} tableId={tableId} edits={edits} />
            ))}
          </Tabs.Content>
          <Tabs.Content value="history" className="min-h-0 flex-1 overflow-y-auto p-4">
            <RecordHistory tableId={tableId} record={record} fields={fields} records={records} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </aside>
  );
};
