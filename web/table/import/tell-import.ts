// The report of an import: how many records came, what did not fit, and a way back.
import { showProblem, showToast } from '../../ui/toast.ts';
import type { Imported } from './await-import.ts';
import { downloadMisfits } from './download-misfits.ts';

export const tellImport = ({ records, misfitCount, misfits }: Imported, name: string, undo: () => Promise<void>): void =>
  showToast({
    kind: 'note',
    stays: true,
    title: `${records.toLocaleString()} records imported into ${name}.${misfitCount === 0 ? '' : ` ${misfitCount.toLocaleString()} values did not fit and were left out.`}`,
    ...(misfitCount === 0 ? {} : { list: [{ text: 'Show what did not fit', run: () => downloadMisfits(misfits) }] }),
    action: { label: 'Undo', run: () => void undo().catch((error: unknown) => showProblem(error, 'The import was not undone.')) },
  });
