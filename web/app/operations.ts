// Tells which operations of the server the requests of this tab were, for those who want to undo them.
export interface Operation {
  method: string;
  /** Of the address, without its query. */
  path: string;
  operationId: string;
}

const listeners = new Set<(operation: Operation) => void>();

export const onOperation = (listener: (operation: Operation) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const onTheirWay = new Set<Promise<unknown>>();

/** A request that changes something has gone out. */
export const noteWrite = (answer: Promise<unknown>): void => {
  const settled = answer.then(
    () => undefined,
    () => undefined,
  );
  onTheirWay.add(settled);
  void settled.then(() => onTheirWay.delete(settled));
};

/** When everything that was sent by now has been answered: anyone who undoes the last change means the one on the screen. */
export const writesAnswered = async (): Promise<void> => {
  await Promise.all(onTheirWay);
};

export const tellOperation = (method: string, url: string, { ok, headers }: Response): void => {
  const operationId = headers.get('x-operation-id');
  if (!ok || operationId === null) return;
  const operation: Operation = { method, path: url.split('?')[0] as string, operationId };
  for (const listener of listeners) listener(operation);
};
