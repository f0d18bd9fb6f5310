// The rows of a file are added to a table: each of its columns goes into a field that is there, into a new one, or nowhere.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { type CellKind, createField, type FieldTypeName, kindOf } from '@rowhouse/contract/field.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { undoJob } from '@rowhouse/contract/job.ts';
import { allows, type Standing } from '../app/standing.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { awaitJob } from '../app/await-job.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { counted, showProblem, showToast } from '../ui/toast.ts';
import { DateOrderChoice, isUndecided } from '../field-type/date/date-order-choice.tsx';
import { fieldTypeOf } from '../field-type/field-types.ts';
import { fieldsQuery, viewsQuery } from '../record-data/queries.ts';
import { ambiguousDateIn } from './ambiguous-dates.ts';
import { FileDrop } from './file-drop.tsx';
import { ImportStatus, StoppedImport, useImportProgress } from './import-progress.tsx';
import { lastImportOf, noteImport, nowhere } from './last-import.ts';
import { type ImportFile, openImportFile, sheetWithHeader } from './open-import-file.ts';
import { HeaderRowChoice, type Sheet, SheetPreview } from './sheet-preview.tsx';
import { tellImport } from './tell-import.ts';
import { browserLanguage } from '../ui/language.ts';

interface ImportIntoDialogProps {
  baseId: string;
  table: { id: string; name: string };
  role: Standing;
  onClose: () => void;
}

const newField = 'new';
const keyKinds: readonly CellKind[] = ['text', 'number', 'date', 'choice'];

export const ImportIntoDialog = ({ baseId, table, role, onClose }: ImportIntoDialogProps) => {
  const fields = useQuery(fieldsQuery(table.id)).data ?? [];
  const writable = fields.filter(({ isComputed }) => isComputed !== true);
  const mayAdd = allows(role, 'field|create');
  const mayUpdate = allows(role, 'record|update');
  const [file, setFile] = useState<ImportFile>();
  const [sheetKey, setSheetKey] = useState('');
  const last = lastImportOf(table.id);
  /** By column; those that nobody has chosen for go where they went the last time, or by their names. */
  const [chosen, setChosen] = useState<Record<number, string>>({});
  const [headerRow, setHeaderRow] = useState(1);
  const [keyId, setKeyId] = useState(last?.keyId ?? '');
  const [dateOrder, setDateOrder] = useState(() => orderOfLocale(browserLanguage()));
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
      const key = Object.keys(opened.worksheets)[0] ?? '';
      setSheetKey(key);
      setFile(opened);
      if (last !== undefined && last.headerRow !== 1 && opened.fileType !== 'json')
        await changeHeader(opened, key, last.headerRow);
    } catch (error) {
      if (!ending.current.signal.aborted) setProblem((error as Error).message);
    } finally {
      setProgress(undefined);
    }
  };
  const changeHeader = async (of: ImportFile, key: string, next: number): Promise<void> => {
    const read = await sheetWithHeader(of, key, next);
    if (read === undefined) return;
    setFile({ ...of, worksheets: { ...of.worksheets, [key]: read } });
    setHeaderRow(next);
    setChosen({});
  };
  const targetOf = (column: number): string => {
    const name = sheet?.columns[column]?.name ?? '';
    const before = last?.targets[name];
    const isKnown = before === nowhere || writable.some(({ id }) => id === before);
    return (
      chosen[column] ??
      (isKnown ? before : undefined) ??
      writable.find((field) => field.name.toLowerCase() === name.toLowerCase())?.id ??
      (mayAdd ? newField : nowhere)
    );
  };
  const ambiguous =
    sheet === undefined
      ? undefined
      : ambiguousDateIn(sheet, headerRow, (column, at) => {
          const target = targetOf(at);
          const field = target === newField ? column : writable.find(({ id }) => id === target);
          return field !== undefined && isUndecided(field);
        });
  const canBeKey = (id: string): boolean => {
    const field = writable.find((one) => one.id === id);
    return field !== undefined && field.isMultipleCellValue !== true && keyKinds.includes(kindOf(field));
  };
  const keys =
    sheet === undefined ? [] : [...new Set(sheet.columns.map((_column, at) => targetOf(at)))].filter(canBeKey);
  const key = keys.includes(keyId) ? keyId : '';
  const options = (type: FieldTypeName) => [
    ...writable.map(({ id, name, type: own }) => ({ value: id, label: name, icon: fieldTypeOf(own).icon })),
    ...(mayAdd
      ? [{ value: newField, label: `New field: ${fieldTypeOf(type).label}`, icon: fieldTypeOf(type).icon }]
      : []),
    { value: nowhere, label: 'Leave out' },
  ];
  const undo = async (jobId: string): Promise<void> => {
    const { id } = await call(undoJob, { params: { jobId }, body: {} });
    const { records, restored = 0 } = await awaitJob<{ records: number; restored?: number }>(id);
    const back = restored === 0 ? '' : ` ${counted(restored, 'record')} restored.`;
    showToast({ kind: 'note', title: `${counted(records, 'record')} moved to the trash.${back}` });
  };
  const start = async ({ columns }: Sheet, { url, fileType }: ImportFile): Promise<void> => {
    setDone(0);
    try {
      const map: Record<string, number> = {};
      const targets: Record<string, string> = {};
      for (const [column, { name, type, options: given }] of columns.entries()) {
        const target = targetOf(column);
        targets[name] =
          target === newField
            ? (
                await call(createField, {
                  params: { tableId: table.id },
                  body: { name, type, ...(given === undefined ? {} : { options: given }) },
                })
              ).id
            : target;
        if (target !== nowhere) map[targets[name]] = column;
      }
      noteImport(table.id, { targets, headerRow, keyId: key });
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
          insertConfig: {
            sourceWorkSheetKey: sheetKey,
            excludeFirstRow: true,
            headerRow,
            sourceColumnMap: map,
            ...(key === '' ? {} : { matchFieldIds: [key] }),
          },
          dateOrder,
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
      description={
        last === undefined
          ? 'Every row becomes a record. Choose where its columns go.'
          : 'Columns go to the same fields as last time. You can change that.'
      }
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
          {file.fileType !== 'json' && (
            <HeaderRowChoice
              sheet={sheet}
              headerRow={headerRow}
              onHeaderRow={(next) =>
                void changeHeader(file, sheetKey, next).catch((error: unknown) =>
                  showProblem(error, 'The columns could not be read.'),
                )
              }
            />
          )}
          <SheetPreview
            sheet={sheet}
            headerRow={headerRow}
            target={(column) => {
              const { name = '', type = 'singleLineText' } = sheet.columns[column] ?? {};
              return (
                <>
                  <span className="mb-1 block truncate">{name}</span>
                  <SelectField
                    label={`Where ${name} goes`}
                    hideLabel
                    value={targetOf(column)}
                    options={options(type)}
                    onValue={(next) => setChosen((before) => ({ ...before, [column]: next }))}
                  />
                </>
              );
            }}
          />
          {ambiguous !== undefined && <DateOrderChoice example={ambiguous} order={dateOrder} onChange={setDateOrder} />}
          {mayUpdate && keys.length > 0 && (
            <SelectField
              label="Update existing records"
              value={key}
              options={[
                { value: '', label: 'No, add every row as a new record' },
                ...writable
                  .filter(({ id }) => keys.includes(id))
                  .map(({ id, name, type }) => ({
                    value: id,
                    label: `With the same ${name}`,
                    icon: fieldTypeOf(type).icon,
                  })),
              ]}
              onValue={setKeyId}
            />
          )}
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
