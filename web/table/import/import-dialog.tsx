// A file becomes new tables of a base: chosen or dropped, looked at, changed where the guess was wrong, and imported.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { type analyzeImport, importTables } from '@rowhouse/contract/import.ts';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { showProblem, showToast } from '../../ui/toast.ts';
import { fieldTypeInfo } from '../field-type.ts';
import { tablesQuery } from '../queries.ts';
import { awaitImport, type Imported } from './await-import.ts';
import { downloadMisfits } from './download-misfits.ts';
import { type ImportFile, openImportFile } from './open-import-file.ts';

type Sheet = ResponseOf<typeof analyzeImport>['worksheets'][string];

const importable: readonly FieldTypeName[] = ['singleLineText', 'longText', 'number', 'date', 'checkbox', 'singleSelect', 'multipleSelect', 'rating'];
const typeOptions = importable.map((type) => ({ value: type, label: fieldTypeInfo(type).label, icon: fieldTypeInfo(type).icon }));

const sheetBody = (sheet: Sheet) => ({
  name: sheet.name,
  columns: sheet.columns.map(({ name, type }, sourceColumnIndex) => ({ name, type, sourceColumnIndex })),
  useFirstRowAsHeader: true,
  importData: true,
});

const FileDrop = ({ problem, progress, onFile }: { problem: string | undefined; progress: number | undefined; onFile: (file: File) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      className={`flex flex-col items-center gap-3 rounded-xl border border-dashed p-8 ${isOver ? 'border-accent bg-sunken' : 'border-line-strong'}`}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
    >
      <FileUp size={28} className="text-ink-faint" aria-hidden />
      <p className="text-ink-soft">Drop a CSV, TSV or Excel file here</p>
      <input ref={input} type="file" aria-label="File to import" accept=".csv,.tsv,.txt,.xlsx" className="sr-only" onChange={(event) => event.target.files?.[0] !== undefined && onFile(event.target.files[0])} />
      <Button busy={progress !== undefined} onClick={() => input.current?.click()}>
        {progress === undefined ? 'Choose a file' : `Uploading: ${Math.round(progress * 100)} %`}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  );
};

const SheetPreview = ({ sheet, onType }: { sheet: Sheet; onType: (column: number, type: FieldTypeName) => void }) => (
  <div className="overflow-x-auto rounded-xl border border-line">
    <table className="w-full text-[13px]">
      <caption className="px-3 py-2 text-left font-medium">{sheet.name}</caption>
      <thead>
        <tr>
          {sheet.columns.map(({ name, type }, at) => (
            <th key={name} scope="col" className="min-w-36 border-b border-line p-2 text-left align-top font-medium">
              <span className="mb-1 block truncate">{name}</span>
              <SelectField label={`Type of ${name}`} hideLabel value={type} options={typeOptions} onValue={(next) => onType(at, next as FieldTypeName)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.sample.slice(1, 6).map((row, line) => (
          <tr key={line}>
            {sheet.columns.map(({ name }, at) => (
              <td key={name} className="max-w-60 truncate border-b border-line px-3 py-1.5 text-ink-soft">
                {row[at] ?? ''}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const tell = ({ records, misfitCount, misfits }: Imported, name: string): void =>
  showToast({
    kind: 'note',
    title: `${records.toLocaleString()} records imported into ${name}.${misfitCount === 0 ? '' : ` ${misfitCount.toLocaleString()} values did not fit and were left out.`}`,
    ...(misfitCount === 0 ? {} : { action: { label: 'Show them', run: () => downloadMisfits(misfits) } }),
  });

export const ImportDialog = ({ baseId, onClose }: { baseId: string; onClose: () => void }) => {
  const navigate = useNavigate();
  const [file, setFile] = useState<ImportFile>();
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const [done, setDone] = useState<number>();
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
  const changeType = (key: string, column: number, type: FieldTypeName): void =>
    setFile((before) => {
      const sheet = before?.worksheets[key];
      if (before === undefined || sheet === undefined) return before;
      return { ...before, worksheets: { ...before.worksheets, [key]: { ...sheet, columns: sheet.columns.map((one, at) => (at === column ? { ...one, type } : one)) } } };
    });
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
          worksheets: Object.fromEntries(Object.entries(file.worksheets).filter(([, { columns }]) => columns.length > 0).map(([key, sheet]) => [key, sheetBody(sheet)])),
        },
        onHeaders: (headers) => (jobIds = headers.get('x-job-id') ?? ''),
      });
      await queryClient.invalidateQueries({ queryKey: tablesQuery(baseId).queryKey });
      const [first] = tables;
      if (first !== undefined) await navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: first.id } });
      for (const [at, jobId] of jobIds.split(', ').filter((id) => id !== '').entries()) tell(await awaitImport(jobId, setDone), tables[at]?.name ?? '');
      onClose();
    } catch (error) {
      showProblem(error, 'The file was not imported.');
      setDone(undefined);
    }
  };

  return (
    <Dialog open wide onClose={onClose} title="Import a file" description="Every sheet becomes a table. You can change the types of columns later, too.">
      {file === undefined ? (
        <FileDrop problem={problem} progress={progress} onFile={(chosen) => void open(chosen)} />
      ) : (
        <div className="flex flex-col gap-4">
          {Object.entries(file.worksheets).map(([key, sheet]) => (
            <SheetPreview key={key} sheet={sheet} onType={(column, type) => changeType(key, column, type)} />
          ))}
          <div className="flex items-center justify-end gap-3">
            {done !== undefined && (
              <p role="status" className="text-ink-soft">
                {done.toLocaleString()} records so far
              </p>
            )}
            <Button look="primary" busy={done !== undefined} onClick={() => void start()}>
              Import
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
