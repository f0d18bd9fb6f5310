// The files of a cell: dropped, pasted or chosen; a click looks at one.
import { type Attachment, downloadAttachments } from '@rowhouse/contract/attachment.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { FileArchive, FileText, Upload, X } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { filesOf, pathOf } from '../cell/cell-parts.ts';
import { fileSize, openPreview } from './preview.ts';
import { shownBaseId } from './uploads.ts';
import { showToast } from '../../ui/toast.ts';
import { uploadFile } from './upload-file.ts';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';

interface Running {
  key: number;
  name: string;
  share: number;
  problem?: string;
  cancel: () => void;
}

const FileRow = ({ file, onLook, onRemove }: { file: Attachment; onLook: () => void; onRemove: () => void }) => (
  <li className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken">
    {file.smThumbnailUrl === undefined ? (
      <FileText size={18} className="shrink-0 text-ink-faint" aria-hidden />
    ) : (
      <img src={pathOf(file.smThumbnailUrl)} alt="" className="size-8 shrink-0 rounded object-cover" />
    )}
    <a
      className="min-w-0 flex-1 truncate"
      href={file.presignedUrl === undefined ? undefined : pathOf(file.presignedUrl)}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        // With a key that means a new tab it opens there.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onLook();
      }}
    >
      {file.name}
    </a>
    <span className="shrink-0 text-[12px] text-ink-faint">{fileSize(file.size)}</span>
    <button
      type="button"
      aria-label={`Remove ${file.name}`}
      className="shrink-0 rounded p-1 text-ink-faint hover:text-danger"
      onClick={onRemove}
    >
      <X size={14} aria-hidden />
    </button>
  </li>
);

let runs = 0;

const FilesEditor = ({ field, tableId, recordId, value, label, id, onChange }: EditorProps) => {
  const [files, setFiles] = useState(() => filesOf(value));
  const [running, setRunning] = useState<readonly Running[]>([]);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onTheirWay = useRef(new Map<number, { name: string; ending: AbortController }>());
  const present = useRef(files);
  /** By id of what was uploaded here: they stand in the order in which they were chosen, whichever is there first. */
  const turns = useRef(new Map<string, number>());
  const inputId = useId();
  useEffect(() => {
    const own = onTheirWay.current;
    return () => {
      if (own.size > 0)
        showToast({
          kind: 'problem',
          title:
            own.size === 1
              ? `The upload of ${[...own.values()][0]?.name} was cancelled.`
              : `${own.size} uploads were cancelled.`,
          detail: 'Keep the cell open until uploads are done. Files dropped on a closed cell upload in the background.',
        });
      for (const { ending } of own.values()) ending.abort();
    };
  }, []);

  const keep = (next: Attachment[]): void => {
    const from = present.current;
    present.current = next;
    setFiles(next);
    onChange(next.length === 0 ? null : next, from);
  };
  const start = async (file: File): Promise<void> => {
    const key = (runs += 1);
    const update = (change: Partial<Running>): void =>
      setRunning((before) => before.map((one) => (one.key === key ? { ...one, ...change } : one)));
    const remove = (): void => setRunning((before) => before.filter((one) => one.key !== key));
    const ending = new AbortController();
    onTheirWay.current.set(key, { name: file.name, ending });
    setRunning((before) => [...before, { key, name: file.name, share: 0, cancel: () => (ending.abort(), remove()) }]);
    try {
      const added = await uploadFile(file, shownBaseId(), (share) => update({ share }), ending.signal);
      if (ending.signal.aborted) return;
      remove();
      turns.current.set(added.id, key);
      const follower = present.current.findIndex(({ id: other }) => (turns.current.get(other) ?? 0) > key);
      keep(present.current.toSpliced(follower < 0 ? present.current.length : follower, 0, added));
    } catch (error) {
      if (!ending.signal.aborted) update({ problem: (error as Error).message });
    } finally {
      onTheirWay.current.delete(key);
    }
  };
  const add = (list: FileList | null | undefined): void => {
    for (const file of list ?? []) void start(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    add(event.dataTransfer.files);
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    add(event.clipboardData.files);
  };

  const archive =
    tableId === undefined || recordId === undefined
      ? undefined
      : `/api${addressOf(downloadAttachments, { params: { tableId, recordId, fieldId: field.id } })}`;

  return (
    <div
      className="w-80 p-2 text-[13px]"
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
    >
      {files.length > 0 && (
        <ul aria-label={label} className="max-h-64 overflow-auto">
          {files.map((file, at) => (
            <FileRow
              key={file.id}
              file={file}
              onLook={() => openPreview({ files, at, archive })}
              onRemove={() => keep(files.filter((one) => one.id !== file.id))}
            />
          ))}
        </ul>
      )}
      {files.length > 1 && archive !== undefined && (
        <a
          href={archive}
          download
          className="flex items-center gap-2 rounded-lg px-2 py-1.5 text-accent hover:bg-sunken"
        >
          <FileArchive size={15} aria-hidden />
          Download all
        </a>
      )}
      {running.map(({ key, name, share, problem, cancel }) => (
        <div key={key} className="flex items-center gap-2 px-2 py-1">
          <p
            role={problem === undefined ? 'status' : 'alert'}
            className={`min-w-0 flex-1 truncate ${problem === undefined ? 'text-ink-soft' : 'text-danger'}`}
          >
            {problem === undefined ? `Uploading ${name}: ${Math.round(share * 100)} %` : `${name}: ${problem}`}
          </p>
          <button
            type="button"
            aria-label={problem === undefined ? `Cancel the upload of ${name}` : `Dismiss ${name}`}
            className="shrink-0 rounded p-1 text-ink-faint hover:text-danger"
            onClick={cancel}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
      <input
        ref={input}
        id={inputId}
        type="file"
        multiple
        aria-label={`Add files to ${label}`}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => add(event.target.files)}
      />
      <button
        id={id}
        type="button"
        className={`mt-1 flex w-full items-center justify-center gap-2 rounded-lg border border-dashed px-3 py-3 text-ink-soft ${isOver ? 'border-accent bg-sunken' : 'border-line'}`}
        onClick={() => input.current?.click()}
      >
        <Upload size={15} aria-hidden />
        Choose files, drop or paste them here
      </button>
    </div>
  );
};

export const filesEditing: CellEditing = { Editor: FilesEditor, frame: 'list' };
