// Which files become tables, by their names.
import { showToast } from '../ui/toast.ts';

export const importableNames = '.csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson';

/** The first that can be imported; what cannot is told. */
export const importableOf = (files: readonly File[]): File | undefined => {
  const found = files.find(({ name }) =>
    importableNames.split(',').some((ending) => name.toLowerCase().endsWith(ending)),
  );
  if (found === undefined)
    showToast({
      kind: 'problem',
      title: `${files[0]?.name ?? 'This'} cannot become a table.`,
      detail: 'CSV, TSV, Excel and JSON files can. Drop other files on a cell of an attachment field.',
    });
  return found;
};
/** The file's name without its ending. */
export const titleOfFile = ({ name }: Pick<File, 'name'>): string =>
  name.replace(/\.\w{1,5}$/, '').slice(0, 200) || 'Import';
