// The rows of a file are added to a table: each of its columns goes into a field that is there, into a new one, or nowhere.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { createField, type FieldTypeName } from '@rowhouse/contract/field.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { undoJob } from '@rowhouse/contract/job.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { awaitJob } from '../app/await-job.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { counted, showProblem, showToast } from '../ui/toast.ts';
import { fieldTypeInfo } from '../field-type/field-type.ts';
import { fieldsQuery, viewsQuery } from '../record-data/queries.ts';
import { FileDrop } from './file-drop.tsx';
import { ImportStatus, StoppedImport, useImportProgress } from './import-progress.tsx';
import { type ImportFile, openImportFile } from './open-import-file.ts';
import { type Sheet, SheetPreview } from './sheet-preview.tsx';
import { tellImport } from './tell-import.ts';

interface ImportIntoDialogProps {
  baseId: string;
  table: { id: string; name: string };
  role: Role;
  onClose: () => void;
}

const [nowhere, newField] = ['nowhere', 'new'];

export const ImportIntoDialog = ({ baseId, table, role, onClose }: ImportIntoDialogProps) => {
  const fields = useQuery(fieldsQuery(table.id)).data ?? [];
  const writable = fields.filter(({ isComputed }) => isComputed !== true);
  const mayAdd = allows(role, 'field|create');
  const [file, setFile] = useState<ImportFile>();
  const [sheetKey, setSheetKey] = useState('');
  /** By column; those that nobody has chosen for go by their names. */
  const [chosen, setChosen] = useState<Record<number, string>>({});
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const { done, setDone, waitsFor, stopped, follow, goOn, leave } = useImportProgress();
  const ending = useRef(new AbortController());
  useEffect(() => {
    const own = ending.current;
    return () => own.abort();
  }, []);
  const sheet: Sheet | undefined = file?.worksheets[sheetKey];

  const open = async (given: File): Promise<void> => {
    setProblem(undefined);
    setProgress(0);
    try {
      const opened = await openImportFile(given, baseId, setProgress, ending.current.signal);
      setSheetKey(Object.keys(opened.worksheets)[0] ?? '');
      setFile(opened);
    } catch (error) {
      if (!ending.current.signal.aborted) setProblem((error as Error).message);
    } finally {
      setProgress(undefined);
    }
  };
  const targetOf = (column: number): string => {
    const name = sheet?.columns[column]?.name.toLowerCase();
    return (
      chosen[column] ?? writable.find((field) => field.name.toLowerCase() === name)?.id ?? (mayAdd ? newField : nowhere)
    );
  };
  const options = (type: FieldTypeName) => [
    ...writable.map(({ id, name, type: own }) => ({ value: id, label: name, icon: fieldTypeInfo(own).icon })),
    ...(mayAdd
      ? [{ value: newField, label: `New field: ${fieldTypeInfo(type).label}`, icon: fieldTypeInfo(type).icon }]
      : []),
    { value: nowhere, label: 'Leave out' },
  ];
  const undo = async (jobId: string): Promise<void> => {
    const { id } = await call(undoJob, { params: { jobId }, body: {} });
    const { records } = await awaitJob<{ records: number }>(id);
    showToast({ kind: 'note', title: `${counted(records, 'record')} moved to the trash.` });
  };
  const start = async ({ columns }: Sheet, { url, fileType }: ImportFile): Promise<void> => {
    setDone(0);
    try {
      const map: Record<string, number> = {};
      for (const [column, { name, type }] of columns.entries()) {
        const target = targetOf(column);
        if (target === nowhere) continue;
        map[
          target === newField
            ? (await call(createField, { params: { tableId: table.id }, body: { name, type } })).id
            : target
        ] = column;
      }
      await Promise.all(
        [fieldsQuery(table.id), viewsQuery(table.id)].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
      let jobId = '';
      await call(importRecords, {
        params: { baseId, tableId: table.id },
        body: {
          attachmentUrl: url,
          fileType,
          insertConfig: { sourceWorkSheetKey: sheetKey, excludeFirstRow: true, sourceColumnMap: map },
          dateOrder: orderOfLocale(navigator.language),
        },
        onHeaders: (headers) => (jobId = headers.get('x-job-id') ?? ''),
      });
      const imported = await follow(jobId);
      if (imported === undefined) await undo(jobId);
      else tellImport(imported, table.name, () => undo(jobId));
      onClose();
    } catch (error) {
      showProblem(error, 'The file was not imported.');
      setDone(undefined);
    }
  };

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Import into ${table.name}`}
      description="Every row becomes a record. Choose where its columns go."
    >
      {stopped !== undefined ? (
        <StoppedImport job={stopped} onContinue={() => void goOn()} onUndo={leave} />
      ) : file === undefined || sheet === undefined ? (
        <FileDrop problem={problem} progress={progress} onFile={(given) => void open(given)} />
      ) : (
        <div className="flex flex-col gap-4">
          {Object.keys(file.worksheets).length > 1 && (
            <SelectField
              label="Sheet"
              value={sheetKey}
              options={Object.entries(file.worksheets).map(([value, { name }]) => ({ value, label: name }))}
              onValue={setSheetKey}
            />
          )}
          <SheetPreview
            sheet={sheet}
            target={(column) => {
              const { name = '', type = 'singleLineText' } = sheet.columns[column] ?? {};
              return (
                <SelectField
                  label={`Where ${name} goes`}
                  hideLabel
                  value={targetOf(column)}
                  options={options(type)}
                  onValue={(next) => setChosen((before) => ({ ...before, [column]: next }))}
                />
              );
            }}
          />
          <div className="flex items-center justify-end gap-3">
            <ImportStatus done={done} waitsFor={waitsFor} />
            <Button look="primary" busy={done !== undefined} onClick={() => void start(sheet, file)}>
              Import
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
