// The last deletion of a table in this window. No step of a table undoes it, so Ctrl+Z means it until something else is
// changed, and again when everything after it has been undone. It is stored like the name of the window: a reload does not lose it.
export interface DeletedTable {
  baseId: string;
  tableId: string;
  name: string;
}

interface Noted extends DeletedTable {
  isLast: boolean;
}

const key = 'rowhouse.deleted-table';
let noted: Noted | undefined | 'not read' = 'not read';

const write = (next: Noted | undefined): void => {
  noted = next;
  try {
    if (next === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // Not allowed: then it is forgotten with the page.
  }
};

const read = (): Noted | undefined => {
  if (noted !== 'not read') return noted;
  try {
    noted = (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Noted | null) ?? undefined;
  } catch {
    noted = undefined;
  }
  return noted;
};

export const noteDeletion = (table: DeletedTable): void => write({ ...table, isLast: true });

/** Each is undone once. `last`: only if nothing was changed since. */
export const takeDeletion = (which: 'last' | 'any'): DeletedTable | undefined => {
  const found = read();
  if (found === undefined || (which === 'last' && !found.isLast)) return undefined;
  write(undefined);
  return found;
};

const changesTable = /\/table\/[^/]+\/(record|field|view|selection)\b/;

/** A request that changes something goes out: from now on that is the last change. */
export const noteChange = (url: string): void => {
  const found = read();
  if (found?.isLast === true && changesTable.test(url)) write({ ...found, isLast: false });
};
