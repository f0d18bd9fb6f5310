// The menu of a view asks for it; the grid that is shown knows what to print.
const listeners = new Set<() => void>();

export const requestPrint = (): void => {
  for (const listener of listeners) listener();
};

export const onPrintRequest = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
