// A file becomes new tables of a base: chosen or dropped, looked at, changed where the guess was wrong, and imported.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { importTables } from '@rowhouse/contract/import.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState } from 'react';
import { call } from '../app/call.ts';
import { awayFrom, fromHere } from '../app/from-here.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { inputClass, TextField } from '../ui/text-field.tsx';
import { counted, showProblem, showToast } from '../ui/toast.ts';
import { fieldTypeOf } from '../field-type/field-types.ts';
import { DateOrderChoice, isUndecided } from '../field-type/date/date-order-choice.tsx';
import { reloadTables } from '../record-data/queries.ts';
import { ambiguousDateIn } from './ambiguous-dates.ts';
import type { Imported } from './await-import.ts';
import { FileDrop } from './file-drop.tsx';
import { ImportStatus, StoppedImport, useImportProgress } from './import-progress.tsx';
import { noteImport, nowhere, targetsOfNew } from './last-import.ts';
import { type ImportFile, openImportFile, sheetWithHeader } from './open-import-file.ts';
import { HeaderRowChoice, type Sheet, SheetPreview } from './sheet-preview.tsx';
import { tellImport } from './tell-import.ts';
import { titleOfFile } from './importable.ts';
import { browserLanguage } from '../ui/language.ts';

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
  label: fieldTypeOf(type).label,
  icon: fieldTypeOf(type).icon,
}));
const typesOrNone = [...typeOptions, { value: nowhere, label: 'Leave out' }];

/** Without the columns that are left out. */
const sheetBody = (sheet: Sheet, name: string, headerRow: number, omitted: ReadonlySet<number> | undefined) => ({
  name: name.trim() || sheet.name,
  columns: sheet.columns.flatMap((column, sourceColumnIndex) =>
    omitted?.has(sourceColumnIndex) === true
      ? []
      : [{ ...column, name: column.name.trim() || `Field ${sourceColumnIndex + 1}`, sourceColumnIndex }],
  ),
  useFirstRowAsHeader: true,
  headerRow,
  importData: true,
});

interface ImportDialogProps {
  baseId: string;
  /** A file that was dropped already. */
  given?: File | undefined;
  /** What was typed as the name of the table before the file was looked at. */
  tableName?: string | undefined;
  onClose: () => void;
}

export const ImportDialog = ({ baseId, given, tableName, onClose }: ImportDialogProps) => {
  const navigate = useNavigate();
  const [file, setFile] = useState<ImportFile>();
  /** By sheet. */
  const [tableNames, setTableNames] = useState<Record<string, string>>({});
  const [headerRows, setHeaderRows] = useState<Record<string, number>>({});
  const [omitted, setOmitted] = useState<Record<string, ReadonlySet<number>>>({});
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const { done, setDone, waitsFor, stopped, follow, goOn, leave } = useImportProgress();
  const [dateOrder, setDateOrder] = useState(() => orderOfLocale(browserLanguage()));
  /** By sheet, as the file has them. */
  const columnNames = useRef<Record<string, string[]>>({});
  const ending = useRef(new AbortController());
  useEffect(() => {
    const own = ending.current;
    return () => own.abort();
  }, []);

  const open = async (chosen: File): Promise<void> => {
    setProblem(undefined);
    setProgress(0);
    try {
      const read = await openImportFile(chosen, baseId, setProgress, ending.current.signal);
      const sheets = Object.entries(read.worksheets);
      for (const [key, { columns }] of sheets) columnNames.current[key] = columns.map(({ name }) => name);
      const only = sheets.length === 1 ? (tableName ?? titleOfFile(chosen)) : undefined;
      setTableNames(Object.fromEntries(sheets.map(([key, { name }]) => [key, only ?? name])));
      setFile(read);
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
  const headerRowOf = (key: string): number => (file?.fileType === 'json' ? 1 : (headerRows[key] ?? 1));
  const changeSheet = (key: string, change: (sheet: Sheet) => Sheet): void =>
    setFile((before) => {
      const sheet = before?.worksheets[key];
      return before === undefined || sheet === undefined
        ? before
        : { ...before, worksheets: { ...before.worksheets, [key]: change(sheet) } };
    });
  const changeColumn = (key: string, column: number, part: Partial<Sheet['columns'][number]>): void =>
    changeSheet(key, (sheet) => ({
      ...sheet,
      columns: sheet.columns.map((one, at) => (at === column ? { ...one, ...part } : one)),
    }));
  /** Options belong to the type that was guessed. */
  const changeType = (key: string, column: number, type: string): void => {
    const others = [...(omitted[key] ?? [])].filter((at) => at !== column);
    setOmitted({ ...omitted, [key]: new Set(type === nowhere ? [...others, column] : others) });
    if (type !== nowhere && file?.worksheets[key]?.columns[column]?.type !== type)
      changeColumn(key, column, { type: type as FieldTypeName, options: {} });
  };
  const changeHeader = async (key: string, headerRow: number): Promise<void> => {
    if (file === undefined) return;
    try {
      const sheet = await sheetWithHeader(file, key, headerRow);
      if (sheet === undefined) return;
      changeSheet(key, () => sheet);
      columnNames.current[key] = sheet.columns.map(({ name }) => name);
      setHeaderRows({ ...headerRows, [key]: headerRow });
      setOmitted({ ...omitted, [key]: new Set() });
    } catch (error) {
      showProblem(error, 'The columns could not be read.');
    }
  };
  const removeTable = async (tableId: string, name: string): Promise<void> => {
    await call(deleteTable, { params: { baseId, tableId } });
    await awayFrom(tableId, () => navigate({ to: '/base/$baseId', params: { baseId } }));
    await reloadTables(baseId);
    showToast({ kind: 'note', title: `Table ${name} moved to the trash.` });
  };
  /** One report for all sheets of a file. */
  const tellTables = (ended: readonly { table: { id: string; name: string }; imported: Imported }[]): void => {
    const [first] = ended;
    if (first === undefined) return;
    const removeAll = async (): Promise<void> => {
      for (const { table } of ended) await removeTable(table.id, table.name);
    };
    if (ended.length === 1) return tellImport(first.imported, first.table.name, removeAll);
    const sum = (of: (imported: Imported) => number): number =>
      ended.reduce((all, { imported }) => all + of(imported), 0);
    tellImport(
      {
        records: sum(({ records }) => records),
        misfitCount: sum(({ misfitCount }) => misfitCount),
        misfits: ended.flatMap(({ table, imported }) =>
          imported.misfits.map((misfit) => ({ ...misfit, table: table.name })),
        ),
      },
      counted(ended.length, 'table'),
      removeAll,
    );
  };
  const start = async (): Promise<void> => {
    if (file === undefined) return;
    const leadOn = fromHere();
    setDone(0);
    try {
      let jobIds = '';
      const sheets = Object.entries(file.worksheets)
        .map(([key, sheet]) => [key, sheetBody(sheet, tableNames[key] ?? '', headerRowOf(key), omitted[key])] as const)
        .filter(([, { columns }]) => columns.length > 0);
      const tables = await call(importTables, {
        params: { baseId },
        body: {
          attachmentUrl: file.url,
          fileType: file.fileType,
          tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
          dateOrder,
          worksheets: Object.fromEntries(sheets),
        },
        onHeaders: (headers) => (jobIds = headers.get('x-job-id') ?? ''),
      });
      for (const [at, [key, { columns, headerRow }]] of sheets.entries()) {
        const { id, fields } = tables[at] ?? {};
        if (id !== undefined && fields !== undefined)
          noteImport(id, {
            targets: targetsOfNew(columnNames.current[key] ?? [], columns, fields),
            headerRow,
            keyId: '',
          });
      }
      await reloadTables(baseId);
      const [first] = tables;
      if (first !== undefined)
        await leadOn(() => navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: first.id } }));
      const ended: { table: (typeof tables)[number]; imported: Imported }[] = [];
      for (const [at, jobId] of jobIds
        .split(', ')
        .filter((id) => id !== '')
        .entries()) {
        const table = tables[at];
        if (table === undefined) continue;
        const imported = await follow(jobId);
        if (imported === undefined) await removeTable(table.id, table.name);
        else ended.push({ table, imported });
      }
      tellTables(ended);
      onClose();
    } catch (error) {
      showProblem(error, 'The file was not imported.');
      setDone(undefined);
    }
  };

  const [ambiguous] = Object.entries(file?.worksheets ?? {}).flatMap(
    ([key, sheet]) =>
      ambiguousDateIn(sheet, headerRowOf(key), (column, at) => isUndecided(column) && omitted[key]?.has(at) !== true) ??
      [],
  );
  const isSingle = file !== undefined && Object.keys(file.worksheets).length === 1;
  const isEmpty =
    file !== undefined &&
    Object.entries(file.worksheets).every(([key, sheet]) => sheetBody(sheet, '', 1, omitted[key]).columns.length === 0);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Import a file"
      description="Every sheet becomes a table. Rename it and its columns, change their types, or leave some out."
    >
      {stopped !== undefined ? (
        <StoppedImport job={stopped} onContinue={() => void goOn()} onUndo={leave} />
      ) : file === undefined ? (
        <FileDrop problem={problem} progress={progress} onFile={(chosen) => void open(chosen)} />
      ) : (
        <div className="flex flex-col gap-4">
          {Object.entries(file.worksheets).map(([key, sheet]) => (
            <Fragment key={key}>
              <div className="grid gap-3 sm:grid-cols-2">
                <TextField
                  label={isSingle ? 'Name of the table' : `Name of the table for ${sheet.name}`}
                  maxLength={255}
                  placeholder={sheet.name}
                  value={tableNames[key] ?? ''}
                  onChange={(event) => setTableNames({ ...tableNames, [key]: event.target.value })}
                />
                {file.fileType !== 'json' && (
                  <HeaderRowChoice
                    sheet={sheet}
                    headerRow={headerRowOf(key)}
                    onHeaderRow={(next) => void changeHeader(key, next)}
                  />
                )}
              </div>
              <SheetPreview
                sheet={sheet}
                headerRow={headerRowOf(key)}
                target={(column) => {
                  const { name = '', type = '' } = sheet.columns[column] ?? {};
                  return (
                    <div className="flex flex-col gap-1.5">
                      <input
                        aria-label={`Name of column ${column + 1}`}
                        className={inputClass}
                        maxLength={255}
                        value={name}
                        onChange={(event) => changeColumn(key, column, { name: event.target.value })}
                      />
                      <SelectField
                        label={`Type of ${name}`}
                        hideLabel
                        value={omitted[key]?.has(column) === true ? nowhere : type}
                        options={typesOrNone}
                        onValue={(next) => changeType(key, column, next)}
                      />
                    </div>
                  );
                }}
              />
            </Fragment>
          ))}
          {ambiguous !== undefined && <DateOrderChoice example={ambiguous} order={dateOrder} onChange={setDateOrder} />}
          <div className="flex items-center justify-end gap-3">
            <ImportStatus done={done} waitsFor={waitsFor} />
            <Button look="primary" busy={done !== undefined} disabled={isEmpty} onClick={() => void start()}>
              Import
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
