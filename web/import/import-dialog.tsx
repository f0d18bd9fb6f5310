// A file becomes new tables of a base: chosen or dropped, looked at, changed where the guess was wrong, and imported.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { importTables } from '@rowhouse/contract/import.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { fieldTypeInfo } from '../field-type/field-type.ts';
import { DateOrderChoice } from '../field-type/field/date-order-choice.tsx';
import { tablesQuery } from '../record-data/queries.ts';
import { ambiguousDateIn } from './ambiguous-dates.ts';
import { FileDrop } from './file-drop.tsx';
import { ImportStatus, StoppedImport, useImportProgress } from './import-progress.tsx';
import { type ImportFile, openImportFile } from './open-import-file.ts';
import { type Sheet, SheetPreview } from './sheet-preview.tsx';
import { tellImport } from './tell-import.ts';

const importable: readonly FieldTypeName[] = [
  'singleLineText',
  'longText',
  'number',
  'date',
  'checkbox',
  'singleSelect',
  'multipleSelect',
  'rating',
];
const typeOptions = importable.map((type) => ({
  value: type,
  label: fieldTypeInfo(type).label,
  icon: fieldTypeInfo(type).icon,
}));

const sheetBody = (sheet: Sheet) => ({
  name: sheet.name,
  columns: sheet.columns.map(({ name, type }, sourceColumnIndex) => ({ name, type, sourceColumnIndex })),
  useFirstRowAsHeader: true,
  importData: true,
});

interface ImportDialogProps {
  baseId: string;
  /** A file that was dropped already. */
  given?: File | undefined;
  onClose: () => void;
}

export const ImportDialog = ({ baseId, given, onClose }: ImportDialogProps) => {
  const navigate = useNavigate();
  const [file, setFile] = useState<ImportFile>();
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const { done, setDone, waitsFor, stopped, follow, goOn, leave } = useImportProgress();
  const [dateOrder, setDateOrder] = useState(() => orderOfLocale(navigator.language));
  const ending = useRef(new AbortController());
  useEffect(() => {
    const own = ending.current;
    return () => own.abort();
  }, []);

  const open = async (chosen: File): Promise<void> => {
    setProblem(undefined);
    setProgress(0);
    try {
      setFile(await openImportFile(chosen, baseId, setProgress, ending.current.signal));
    } catch (error) {
      if (!ending.current.signal.aborted) setProblem((error as Error).message);
    } finally {
      setProgress(undefined);
    }
  };
  const opened = useRef(false);
  useEffect(() => {
    if (given === undefined || opened.current) return;
    opened.current = true;
    void open(given);
    // Once: the file is the one that the dialog was opened with.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const changeType = (key: string, column: number, type: FieldTypeName): void =>
    setFile((before) => {
      const sheet = before?.worksheets[key];
      if (before === undefined || sheet === undefined) return before;
      return {
        ...before,
        worksheets: {
          ...before.worksheets,
          [key]: { ...sheet, columns: sheet.columns.map((one, at) => (at === column ? { ...one, type } : one)) },
        },
      };
    });
  const removeTable = async (tableId: string, name: string): Promise<void> => {
    await call(deleteTable, { params: { baseId, tableId } });
    await navigate({ to: '/base/$baseId', params: { baseId } });
    await queryClient.invalidateQueries({ queryKey: tablesQuery(baseId).queryKey });
    showToast({ kind: 'note', title: `Table ${name} moved to the trash.` });
  };
  const start = async (): Promise<void> => {
    if (file === undefined) return;
    setDone(0);
    try {
      let jobIds = '';
      const tables = await call(importTables, {
        params: { baseId },
        body: {
          attachmentUrl: file.url,
          fileType: file.fileType,
          tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
          dateOrder,
          worksheets: Object.fromEntries(
            Object.entries(file.worksheets)
              .filter(([, { columns }]) => columns.length > 0)
              .map(([key, sheet]) => [key, sheetBody(sheet)]),
          ),
        },
        onHeaders: (headers) => (jobIds = headers.get('x-job-id') ?? ''),
      });
      await queryClient.invalidateQueries({ queryKey: tablesQuery(baseId).queryKey });
      const [first] = tables;
      if (first !== undefined) await navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: first.id } });
      for (const [at, jobId] of jobIds
        .split(', ')
        .filter((id) => id !== '')
        .entries()) {
        const table = tables[at];
        if (table === undefined) continue;
        const imported = await follow(jobId);
        if (imported === undefined) await removeTable(table.id, table.name);
        else tellImport(imported, table.name, () => removeTable(table.id, table.name));
      }
      onClose();
    } catch (error) {
      showProblem(error, 'The file was not imported.');
      setDone(undefined);
    }
  };

  const ambiguous =
    file === undefined
      ? undefined
      : ambiguousDateIn(Object.values(file.worksheets), (sheet, column) => sheet.columns[column]?.type === 'date');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Import a file"
      description="Every sheet becomes a table. You can change the types of columns later, too."
    >
      {stopped !== undefined ? (
        <StoppedImport job={stopped} onContinue={() => void goOn()} onUndo={leave} />
      ) : file === undefined ? (
        <FileDrop problem={problem} progress={progress} onFile={(chosen) => void open(chosen)} />
      ) : (
        <div className="flex flex-col gap-4">
          {Object.entries(file.worksheets).map(([key, sheet]) => (
            <SheetPreview
              key={key}
              sheet={sheet}
              target={(column) => (
                <SelectField
                  label={`Type of ${sheet.columns[column]?.name}`}
                  hideLabel
                  value={sheet.columns[column]?.type ?? ''}
                  options={typeOptions}
                  onValue={(next) => changeType(key, column, next as FieldTypeName)}
                />
              )}
            />
          ))}
          {ambiguous !== undefined && <DateOrderChoice example={ambiguous} order={dateOrder} onChange={setDateOrder} />}
          <div className="flex items-center justify-end gap-3">
            <ImportStatus done={done} waitsFor={waitsFor} />
            <Button look="primary" busy={done !== undefined} onClick={() => void start()}>
              Import
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
