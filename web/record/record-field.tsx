import { downloadAttachments } from '@rowhouse/contract/attachment.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { Maximize2 } from 'lucide-react';
import { type ClipboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import { needsTypecast, readDraft } from '../field-type/read-draft.ts';
import type { EditQueue } from '../record-data/edit-queue.ts';
import { CellEditor, editingOf } from '../field-type/cell-editor.tsx';
import { shownCell } from '../field-type/cell-text.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { FilesValue } from '../field-type/attachment/files-value.tsx';
import { addFiles, takesFiles } from '../field-type/attachment/uploads.ts';
import { useFileDrop } from '../field-type/attachment/use-file-drop.ts';
import { fieldTypeOf, kindOfField } from '../field-type/field-types.ts';
import { fieldsQuery } from '../record-data/queries.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { inputClass } from '../ui/text-field.tsx';
import { RecordButton } from './record-button.tsx';
import { LinkedRecords } from './linked-records.tsx';

const LongTextDialog = lazy(async () => ({
  default: (await import('../field-type/long-text/long-text-dialog.tsx')).LongTextDialog,
}));

interface RecordFieldProps {
  tableId: string;
  field: Field;
  record: RecordVo;
  people: readonly BasePerson[];
  canEdit: boolean;
  edits: EditQueue;
  onOpenLinked: (tableId: string, recordId: string) => void;
}

export const RecordField = ({ tableId, field, record, people, canEdit, edits, onOpenLinked }: RecordFieldProps) => {
  const id = useId();
  const { icon: Icon } = fieldTypeOf(kindOfField(field));
  const value = edits.valueOf(record, field.id);
  const [draft, setDraft] = useState<{ value: unknown } | null>(null);
  const [refusal, setRefusal] = useState<string>();
  const reason = refusal ?? edits.refusalOf(record.id, field.id);
  // The editor starts again when someone else changed the cell, but never under the hands of who is typing in it.
  const shownValue = useRef('');
  if (draft === null) shownValue.current = JSON.stringify(value) ?? '';
  // What is typed is made on what was there when it began.
  const before = useRef<unknown>(undefined);
  if (draft === null) before.current = edits.beforeOf(record, field.id);
  const { leadsTo } = fieldTypeOf(field.type);
  const isLink = leadsTo !== undefined && field.hasError !== true;
  const { frame } = editingOf(field.type);
  // Its table has a name of its own.
  const Label = isLink ? 'p' : 'label';
  const readonly = !canEdit || field.isComputed === true;
  const [isExpanded, setExpanded] = useState(false);
  const isLong = frame === 'lines' && field.isLookup !== true;

  const write = async (next: unknown, from: unknown = before.current): Promise<void> => {
    const read = readDraft(field, next);
    setRefusal(read.ok ? undefined : read.reason);
    if (!read.ok) return;
    setDraft(null);
    const typecast = needsTypecast(field, read.value);
    if (
      (await edits.edit([{ recordId: record.id, fieldId: field.id, value: read.value, before: from }], {
        typecast,
      })) === 'written' &&
      typecast
    )
      await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  };
  // The panel may close under the text: with Escape, or because another record is opened.
  const last = useRef<() => void>(() => undefined);
  last.current = () => {
    if (draft === null) return;
    const read = readDraft(field, draft.value);
    if (read.ok) void write(draft.value);
    else edits.refuse(record.id, field.id, draft.value, read.reason);
  };
  useEffect(() => () => last.current(), []);
  // Somebody deletes the record, or takes the right to change it, while it is typed into: the text is sent, and what becomes of it is said.
  useEffect(() => {
    if (readonly) last.current();
  }, [readonly]);
  const editor = {
    field,
    value,
    recordId: record.id,
    tableId,
    people,
    id,
    label: field.name,
    onChange: (next: unknown) => setDraft({ value: next }),
    onFinish: (next: unknown) => void write(next),
  };

  const place = { tableId, recordId: record.id, fieldId: field.id, edits };
  const { isOver, handlers } = useFileDrop(
    !readonly && takesFiles(field) ? (files) => void addFiles(place, files) : undefined,
  );
  const onPaste = (event: ClipboardEvent): void => {
    if (handlers === undefined || event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void addFiles(place, [...event.clipboardData.files]);
  };

  return (
    <div
      className={isOver ? 'rounded-lg outline-2 outline-offset-4 outline-accent outline-dashed' : undefined}
      data-field={field.id}
      {...handlers}
      onPaste={onPaste}
    >
      <Label
        {...(isLink ? {} : { htmlFor: id })}
        className="mb-1.5 flex items-center gap-1.5 text-[13px] font-medium text-ink-soft"
      >
        <Icon size={14} className="text-ink-faint" aria-hidden />
        {field.name}
        {isLong && (
          <IconButton
            label="Expand"
            className="ml-auto"
            onClick={(event) => {
              event.preventDefault();
              setExpanded(true);
            }}
          >
            <Maximize2 size={14} />
          </IconButton>
        )}
      </Label>
      {isExpanded && (
        <Suspense fallback={null}>
          <LongTextDialog
            title={field.name}
            text={String((draft === null ? value : draft.value) ?? '')}
            people={people}
            onChange={readonly ? undefined : (text) => setDraft({ value: text === '' ? null : text })}
            onClose={() => {
              setExpanded(false);
              if (draft !== null) void write(draft.value);
            }}
          />
        </Suspense>
      )}
      {isLink ? (
        <LinkedRecords
          tableId={tableId}
          field={field}
          value={value}
          editor={readonly ? undefined : { ...editor, onChange: (next, from) => void write(next, from) }}
          onOpen={onOpenLinked}
        />
      ) : fieldTypeOf(field.type).isPressed === true ? (
        <RecordButton id={id} canReset={canEdit} tableId={tableId} recordId={record.id} field={field} value={value} />
      ) : readonly ? (
        <div id={id} className="min-h-9 rounded-lg bg-sunken px-3 py-2 break-words whitespace-pre-wrap">
          {shownCell(field, value).as === 'files' ? (
            <FilesValue
              value={value}
              archive={`/api${addressOf(downloadAttachments, { params: { tableId, recordId: record.id, fieldId: field.id } })}`}
            />
          ) : (
            <CellValue field={field} value={value} />
          )}
        </div>
      ) : frame === 'tick' ? (
        <CellEditor {...editor} />
      ) : frame === 'list' ? (
        <Popover
          label={field.name}
          trigger={
            <button id={id} type="button" className={`${inputClass} !h-auto min-h-9 py-1.5 text-left`}>
              <CellValue field={field} value={value} />
            </button>
          }
        >
          <CellEditor {...editor} autoFocus onChange={(next, from) => void write(next, from)} />
        </Popover>
      ) : (
        <div
          onBlur={() => draft !== null && void write(draft.value)}
          onKeyDown={(event) => event.key === 'Enter' && frame !== 'lines' && draft !== null && void write(draft.value)}
        >
          <CellEditor {...editor} key={shownValue.current} className={inputClass} />
        </div>
      )}
      {reason !== undefined && (
        <p role="alert" className="mt-1 text-[13px] text-danger">
          {reason}
        </p>
      )}
    </div>
  );
};
