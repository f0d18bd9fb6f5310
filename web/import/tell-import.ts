// The report of an import: how many records came, what did not fit, and a way back.
import { csvOf, saveText } from '../app/save-text.ts';
import { counted, showProblem, showToast } from '../ui/toast.ts';
import type { Imported, Misfit } from './await-import.ts';

const downloadMisfits = (misfits: readonly Misfit[]): void =>
  saveText(
    'did-not-fit.csv',
    csvOf(
      ['Row', 'Field', 'Value'],
      misfits.map(({ row, field, value }) => [String(row), field, value]),
    ),
  );

export const tellImport = (
  { records, updated, misfitCount, misfits }: Imported,
  name: string,
  undo: () => Promise<void>,
): void =>
  showToast({
    kind: 'note',
    stays: true,
    title: `${counted(records, updated === undefined ? 'record' : 'row')} imported into ${name}${updated === undefined ? '' : `, ${counted(updated, 'record')} updated`}.${misfitCount === 0 ? '' : ` ${counted(misfitCount, 'value')} did not fit and ${misfitCount === 1 ? 'was' : 'were'} left out.`}`,
    ...(misfitCount === 0 ? {} : { list: [{ text: 'Show what did not fit', run: () => downloadMisfits(misfits) }] }),
    action: {
      label: 'Undo',
      run: () => void undo().catch((error: unknown) => showProblem(error, 'The import was not undone.')),
    },
  });
