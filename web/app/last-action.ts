// What was done last in this window, where no step of a table undoes it: a table was deleted. Ctrl+Z means it until something else is changed.
let last: (() => Promise<void>) | undefined;

export const noteAction = (undo: () => Promise<void>): void => {
  last = undo;
};

/** Each is undone once. */
export const takeAction = (): (() => Promise<void>) | undefined => {
  const undo = last;
  last = undefined;
  return undo;
};

const changesTable = /\/table\/[^/]+\/(record|field|view|selection)\b/;

/** A request that changes something goes out: from now on that is the last change. */
export const noteChange = (url: string): void => {
  if (changesTable.test(url)) last = undefined;
};
