// Hears of changes to a table as they happen.
import { openStream } from '../app/stream.ts';

export interface TableListener {
  onRecords: () => void;
  onSchema: () => void;
}

export const listenToTable = (tableId: string, { onRecords, onSchema }: TableListener): (() => void) => {
  const everything = (): void => {
    onRecords();
    onSchema();
  };
  return openStream(`/api/table/${encodeURIComponent(tableId)}/events`, {
    on: { 'records.created': onRecords, 'records.updated': onRecords, 'records.deleted': onRecords, 'schema.changed': everything, 'view.changed': everything },
    onGap: everything,
  });
};
