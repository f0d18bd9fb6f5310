// How the last file was imported into a table, in this browser: the next version of the same file needs no choices.
import { createStored } from '../app/stored.ts';

interface LastImport {
  /** By the name of the column: the id of a field, or where else it goes. */
  targets: Record<string, string>;
  headerRow: number;
  /** The field that rows are matched by; empty for none. */
  keyId: string;
}

/** The target of columns that are left out. */
export const nowhere = 'nowhere';

const mostTables = 50;

const stored = createStored<Record<string, LastImport>>('rowhouse.imports', {}, (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, LastImport>)
    : undefined,
);

export const lastImportOf = (tableId: string): LastImport | undefined => stored.read()[tableId];

/** Where the columns of a new table's file went: its next version finds those that were renamed or left out. `names`: of all columns, as the file has them. */
export const targetsOfNew = (
  names: readonly string[],
  columns: readonly { sourceColumnIndex: number }[],
  fields: readonly { id: string }[],
): Record<string, string> =>
  Object.fromEntries(
    names.map((name, at) => [
      name,
      fields[columns.findIndex(({ sourceColumnIndex }) => sourceColumnIndex === at)]?.id ?? nowhere,
    ]),
  );

export const noteImport = (tableId: string, last: LastImport): void => {
  const { [tableId]: _before, ...others } = stored.read();
  stored.write(Object.fromEntries([...Object.entries(others), [tableId, last] as const].slice(-mostTables)));
};
