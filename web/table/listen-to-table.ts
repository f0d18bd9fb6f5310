// Hears of changes to a table as they happen. The browser connects again by itself, and the stream goes on where it
// was; only after a long absence everything has to be read again.
export interface TableListener {
  onRecords: () => void;
  onSchema: () => void;
}

const lookEvery = 4_000;

export const listenToTable = (tableId: string, { onRecords, onSchema }: TableListener): (() => void) => {
  const stream = new EventSource(`/api/table/${encodeURIComponent(tableId)}/events`);
  for (const name of ['records.created', 'records.updated', 'records.deleted']) stream.addEventListener(name, onRecords);
  const everything = (): void => {
    onRecords();
    onSchema();
  };
  for (const name of ['schema.changed', 'view.changed', 'reload']) stream.addEventListener(name, everything);
  stream.addEventListener('end', () => stream.close());
  // A stream that the server refuses is not tried again by the browser: then one looks now and then.
  const timer = setInterval(() => {
    if (stream.readyState === EventSource.CLOSED && document.visibilityState === 'visible') onRecords();
  }, lookEvery);
  return () => {
    clearInterval(timer);
    stream.close();
  };
};
