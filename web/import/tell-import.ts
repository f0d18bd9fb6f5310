// The report of an import: how many records came, what did not fit, and a way back.
import { csvOf, saveText } from '../app/save-text.ts';
import { counted, showProblem, showToast } from '../ui/toast.ts';
import type { Imported, Misfit } from './await-import.ts';

type ImportReport = Pick<Imported, 'records' | 'updated' | 'misfitCount'> & {
  /** With the table, where there are several. */
  misfits: readonly (Misfit & { table?: string })[];
};

const downloadMisfits = (misfits: ImportReport['misfits']): void =>
  saveText(
    'did-not-fit.csv',
    csvOf(
      [...(misfits[0]?.table === undefined ? [] : ['Table']), 'Row', 'Field', 'Value'],
      misfits.map(({ table, row, field, value }) => [
        ...(table === undefined ? [] : [table]),
        String(row),
        field,
        value,
      ]),
    ),
  );

/** A report of the import before makes way, unless it holds what did not fit. */
export const tellImport = (
  { records, updated, misfitCount, misfits }: ImportReport,
  into: string,
  undo: () => Promise<void>,
): void =>
  showToast({
    kind: 'note',
    stays: true,
    title: `${counted(records, updated === undefined ? 'record' : 'row')} imported into ${into}${updated === undefined ? '' : `, ${counted(updated, 'record')} updated`}.${misfitCount === 0 ? '' : ` ${counted(misfitCount, 'value')} did not fit and ${misfitCount === 1 ? 'was' : 'were'} left out.`}`,
    ...(misfitCount === 0
      ? { about: 'import', isOfPage: true }
      : { list: [{ text: 'Show what did not fit', run: () => downloadMisfits(misfits) }] }),
    action: {
      label: 'Undo',
      run: () => void undo().catch((error: unknown) => showProblem(error, 'The import was not undone.')),
    },
  });
