// Hears of changes to a table as they happen.
import type { EventData } from '@rowhouse/contract/event.ts';
import { takePosition } from '../../app/early.ts';
import { openStream } from '../../app/stream.ts';

interface TableListener {
  onUpdated: (change: EventData<'records.updated'>) => void;
  onDeleted: (change: EventData<'records.deleted'>) => void;
  /** Records came, or anything may have happened. */
  onRecords: () => void;
  onSchema: () => void;
  /** Tables or folders of the base. */
  onTables: () => void;
  /** Comments on these records; undefined when it may be any. */
  onComments: (recordIds: readonly string[] | undefined) => void;
}

export const listenToTable = (
  tableId: string,
  { onUpdated, onDeleted, onRecords, onSchema, onTables, onComments }: TableListener,
): (() => void) => {
  const everything = (): void => {
    onRecords();
    onSchema();
    onTables();
  };
  return openStream(`/api/table/${encodeURIComponent(tableId)}/events?values=true&presence=true`, {
    on: {
      'records.created': onRecords,
      'records.updated': (data) => onUpdated(data as EventData<'records.updated'>),
      'records.deleted': (data) => onDeleted(data as EventData<'records.deleted'>),
      'comments.changed': (data) => onComments((data as EventData<'comments.changed'>).recordIds),
      'schema.changed': everything,
      'view.changed': everything,
      'tables.changed': onTables,
    },
    onGap: () => {
      everything();
      onComments(undefined);
    },
    since: takePosition(tableId),
  });
};
