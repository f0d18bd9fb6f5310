// How the last file was imported into a table, in this browser: the next version of the same file needs no choices.
import { createStored } from '../app/stored.ts';

interface LastImport {
  /** By the name of the column: the id of a field, or where else it goes. */
  targets: Record<string, string>;
  headerRow: number;
  /** The field that rows are matched by; empty for none. */
  keyId: string;
}

const mostTables = 50;

const stored = createStored<Record<string, LastImport>>('rowhouse.imports', {}, (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, LastImport>)
    : undefined,
);

export const lastImportOf = (tableId: string): LastImport | undefined => stored.read()[tableId];

export const noteImport = (tableId: string, last: LastImport): void => {
  const { [tableId]: _before, ...others } = stored.read();
  stored.write(Object.fromEntries([...Object.entries(others), [tableId, last] as const].slice(-mostTables)));
};
