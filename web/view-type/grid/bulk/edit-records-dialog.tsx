// Several records at once: the fields that somebody sets here get the same value in all of them.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { useEffect, useMemo, useState } from 'react';
import type { BasePerson } from '../../../record-data/queries.ts';
import type { TableRecords } from '../../../record-data/table-records.ts';
import type { Progress } from '../../../record-data/undo/records.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { counted } from '../../../ui/toast.ts';
import { ProgressNote } from '../progress-note.tsx';
import { BulkField } from './bulk-field.tsx';
import { type Drafts, readDrafts, refusedFields, sharedValue } from './bulk-values.ts';
import { loadChosen } from './load-chosen.ts';
import type { BulkOptions } from './write-bulk.ts';

interface EditRecordsDialogProps {
  tableId: string;
  viewId: string;
  /** Those that can be edited, in the order of the view. */
  fields: readonly Field[];
  people: readonly BasePerson[];
  count: number;
  ticked: { all: boolean; ids: ReadonlySet<string> };
  records: Pick<TableRecords, 'window' | 'edits' | 'version'>;
  /** Resolves when all is written; throws what the server refused. */
  onSave: (records: readonly RecordVo[], values: ReadonlyMap<string, unknown>, options: BulkOptions) => Promise<void>;
  onClose: () => void;
}

export const EditRecordsDialog = ({
  tableId,
  viewId,
  fields,
  people,
  count,
  ticked,
  records: { window, edits, version },
  onSave,
  onClose,
}: EditRecordsDialogProps) => {
  const [loaded, setLoaded] = useState<readonly RecordVo[]>();
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState<'reading' | 'writing' | undefined>('reading');
  const [problem, setProblem] = useState<unknown>(null);
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isOver = false;
    loadChosen({
      tableId,
      viewId,
      fieldIds: fields.map(({ id }) => id),
      ticked,
      find: window.find,
      onProgress: (processed) => !isOver && setProgress({ processed, total: count }),
    })
      .then((found) => !isOver && setLoaded(found))
      .catch((error: unknown) => !isOver && setProblem(error))
      .finally(() => {
        if (isOver) return;
        setBusy(undefined);
        setProgress(undefined);
      });
    return () => void (isOver = true);
    // What was ticked when the dialog opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  // Those on the screen follow what others do meanwhile.
  const present = useMemo(() => loaded?.map((record) => window.find(record.id) ?? record), [loaded, window, version]);
  const shared = useMemo(
    () => new Map(fields.map(({ id }) => [id, sharedValue(present ?? [], id, edits.valueOf)])),
    [fields, present, edits],
  );

  const setDraft = (fieldId: string, draft: { value: unknown } | undefined): void => {
    const next = new Map(drafts);
    if (draft === undefined) next.delete(fieldId);
    else next.set(fieldId, draft.value);
    setDrafts(next);
    const rest = new Map(reasons);
    rest.delete(fieldId);
    setReasons(rest);
    setProblem(null);
  };
  const save = async (): Promise<void> => {
    const read = readDrafts(fields, drafts);
    setReasons(read.reasons);
    if (read.reasons.size > 0 || present === undefined) return;
    setBusy('writing');
    try {
      await onSave(present, read.values, { typecast: read.typecast, onProgress: setProgress });
      onClose();
    } catch (error) {
      const refused = refusedFields(error);
      setReasons(refused);
      setProblem(refused.size === 0 ? error : null);
    } finally {
      setBusy(undefined);
      setProgress(undefined);
    }
  };

  return (
    <Dialog
      open
      wide
      onClose={() => busy !== 'writing' && onClose()}
      title={`Edit ${counted(count, 'record')}`}
      description="Fields that you set here get the same value in all selected records. The others stay as they are."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {present !== undefined && busy !== 'writing' && (
          <div className="grid gap-4 sm:grid-cols-2">
            {fields.map((field) => (
              <BulkField
                key={field.id}
                tableId={tableId}
                field={field}
                shared={shared.get(field.id) ?? { is: 'several' }}
                draft={drafts.has(field.id) ? { value: drafts.get(field.id) } : undefined}
                people={people}
                reason={reasons.get(field.id)}
                onDraft={(draft) => setDraft(field.id, draft)}
              />
            ))}
          </div>
        )}
        {busy !== undefined && (
          <ProgressNote doing={busy === 'reading' ? 'Reading' : 'Updating'} count={count} progress={progress} />
        )}
        <ProblemNote error={problem} />
        <div className="sticky -bottom-5 -mx-5 -mb-5 flex justify-end gap-2 bg-raised px-5 pt-2 pb-5 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-6">
          <Button disabled={busy === 'writing'} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            look="primary"
            busy={busy === 'writing'}
            disabled={drafts.size === 0 || present === undefined}
          >
            Update {counted(count, 'record')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
