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

export const tellOperation = (method: string, url: string, { ok, headers }: Response): void => {
  const operationId = headers.get('x-operation-id');
  if (!ok || operationId === null) return;
  const operation: Operation = { method, path: url.split('?')[0] as string, operationId };
  for (const listener of listeners) listener(operation);
};
