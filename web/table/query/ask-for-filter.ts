// The menu of a column asks for a filter by its field; the filter above the table opens with it.
const listeners = new Set<(fieldId: string) => void>();

export const askForFilter = (fieldId: string): void => listeners.forEach((listener) => listener(fieldId));

export const onFilterAsked = (listener: (fieldId: string) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
