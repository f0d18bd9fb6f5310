// Files that are dropped or pasted somewhere else than in an editor: uploaded in the background, and written into their cell
// when they are there. A plain store, so that an upload goes on while its card or row is not on the screen.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { getRecord } from '@rowhouse/contract/record.ts';
import { useSyncExternalStore } from 'react';
import { call } from '../../app/call.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { filesOf } from '../cell/cell-parts.ts';
import type { EditQueue } from '../../record-data/edit-queue.ts';
import { uploadFile } from './upload-file.ts';

interface Upload {
  key: number;
  name: string;
  share: number;
  cancel: () => void;
}

let uploads: readonly Upload[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Upload[]): void => {
  uploads = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads);

/** Shown at the edge of the screen until it is done. Undefined: it was cancelled, or failed, which is told. */
export const uploadOne = async (file: File, baseId: string | undefined): Promise<Attachment | undefined> => {
  const key = (lastKey += 1);
  const ending = new AbortController();
  set([...uploads, { key, name: file.name, share: 0, cancel: () => ending.abort() }]);
  try {
    return await uploadFile(
      file,
      baseId,
      (share) => set(uploads.map((one) => (one.key === key ? { ...one, share } : one))),
      ending.signal,
    );
  } catch (error) {
    if (!ending.signal.aborted) showProblem(error, `${file.name} was not uploaded.`);
    return undefined;
  } finally {
    set(uploads.filter((one) => one.key !== key));
  }
};

export interface FilesPlace {
  tableId: string;
  recordId: string;
  fieldId: string;
  edits: Pick<EditQueue, 'edit'>;
}

/** A field of files that people can add to. */
export const takesFiles = (field: Field | undefined): field is Field =>
  field !== undefined && field.type === 'attachment' && field.isComputed !== true;

/** Screens of a table have the base in their address. */
export const shownBaseId = (): string | undefined => /\bbse[0-9A-Za-z]{16}\b/.exec(window.location.pathname)?.[0];

/** A screenshot has no name of its own: all of them would be called the same. */
const named = (file: File): File =>
  file.name === 'image.png'
    ? new File([file], `Screenshot ${new Date().toLocaleString('sv').replaceAll(':', '.')}.png`, { type: file.type })
    : file;

export const addFiles = async (
  { tableId, recordId, fieldId, edits }: FilesPlace,
  files: Iterable<File>,
): Promise<void> => {
  const baseId = shownBaseId();
  const added = (await Promise.all([...files].map((file) => uploadOne(named(file), baseId)))).filter(
    (file) => file !== undefined,
  );
  if (added.length === 0) return;
  try {
    // Others may have added to the cell while these were on their way.
    const { fields } = await call(getRecord, { params: { tableId, recordId }, query: { fieldKeyType: 'id' } });
    if (
      (await edits.edit([
        { recordId, fieldId, value: [...filesOf(fields[fieldId]), ...added], before: fields[fieldId] },
      ])) === 'written'
    )
      showToast({
        kind: 'note',
        title: added.length === 1 ? `${added[0]?.name} added.` : `${added.length} files added.`,
      });
  } catch (error) {
    showProblem(error, 'The files were not added.');
  }
};
