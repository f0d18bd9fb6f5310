// Brings deleted records back, with their ids, numbers, authors, times and places. Their cells come back as if the records
// had been there all the time: values of fields that are of another kind now are cast, and those of fields that are gone for good
// are left out.
import type { RestoreConflict } from '@rowhouse/contract/history.ts';
import { Stale } from '../../catalog/stale.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import type { CellContext, Person } from '../field/type.ts';
import { fieldTypeOf } from '../field/types.ts';
import { addChoices } from '../record/add-choices.ts';
import { type CellRequest, readOldCells } from '../record/cells.ts';
import { hiddenFields, insertKept, type KeptRecord, takeKept } from '../record/kept.sql.ts';
import { peopleFor } from '../record/people.ts';
import { explainConstraint } from '../record/unique.ts';
import { withRoom } from '../record/with-room.ts';
import { cellContext, keysOf, type NewChoices, operationOf, type TableAccess } from '../record/write.ts';
import { oldestVisible } from './retention.ts';

const rowsOf = (table: TableSchema, records: readonly KeptRecord[]): { id: string; fields: Record<string, unknown> }[] => {
  const writable = table.fields.filter(({ type }) => !fieldTypeOf(type).isComputed);
  return records.map(({ id, fields, row: { hidden } }) => {
    const known = { ...hidden, ...fields };
    return { id, fields: Object.fromEntries(writable.flatMap((field) => (known[field.id] === undefined ? [] : [[field.id, known[field.id]]]))) };
  });
};

/** People as the cells have them: they may have left the base since. */
const peopleIn = (table: TableSchema, rows: CellRequest['rows']): Person[] => {
  const people = new Map<string, Person>();
  for (const { id } of table.fields.filter(({ type }) => type === 'user')) {
    for (const { fields } of rows) {
      for (const cell of [fields[id] ?? []].flat() as { id?: string; title?: string; email?: string; avatarUrl?: string }[]) {
        if (typeof cell.id === 'string') people.set(cell.id, { id: cell.id, name: cell.title ?? '', email: cell.email ?? '', avatar: cell.avatarUrl ?? null });
      }
    }
  }
  return [...people.values()];
};

/** Fields in the trash get their cells too: they may come back later. */
const withHidden = (table: TableSchema): TableSchema => {
  const fields = [...table.fields, ...hiddenFields(table)];
  return { ...table, fields, byId: new Map(fields.map((field) => [field.id, field])) };
};

/** Values that do not fit as they are. */
const misfits = (table: TableSchema, rows: CellRequest['rows'], context: CellContext): RestoreConflict[] =>
  rows.flatMap(({ id, fields }) =>
    Object.entries(fields).flatMap(([fieldId, value]): RestoreConflict[] => {
      const field = table.byId.get(fieldId);
      if (field === undefined || fieldTypeOf(field.type).read(value, field, context).ok) return [];
      return [{ recordId: id as string, fieldId, reason: 'does_not_fit', message: `The old value does not fit "${field.name}" any more` }];
    }),
  );

export interface RestoreOptions {
  /** Whether what does not fit is cast. */
  force: boolean;
  refuse: (conflicts: readonly RestoreConflict[]) => Error;
  /** Another fault of a cell, such as a value that has to be unique and is taken. */
  explain: (error: unknown, rows: readonly { id: string }[], table: TableSchema) => unknown;
}

export interface RestoredRecords {
  operationId: string;
  recordIds: string[];
  cells: number;
}

/** `opId`: what deleted them. Undefined when they are not kept any more. */
export const restoreRecords = async (context: Context, tx: Tx, opId: number, { force, refuse, explain }: RestoreOptions): Promise<RestoredRecords | undefined> => {
  const { baseId, tableId, spaceId, epoch } = context.access as TableAccess;
  await lockSchema(tx, baseId, tableId);
  const present = await loadTable(tx, baseId, tableId);
  const table = withHidden(present);
  const records = await takeKept(tx, table, opId, await oldestVisible(tx, context));
  if (records.length === 0) return undefined;
  const rows = rowsOf(table, records);
  const added: NewChoices = new Map();
  const people = [...peopleIn(table, rows), ...(await peopleFor(tx, table, spaceId, keysOf(rows), false))];
  const cellsContext = cellContext(context, people, added);
  const conflicts = force ? [] : misfits(table, rows, cellsContext);
  if (conflicts.length > 0) throw refuse(conflicts);
  const request: CellRequest = { rows: rows.map(({ fields }) => ({ fields })), keyType: 'id', typecast: true };
  try {
    const { columns } = readOldCells(table, request, cellsContext);
    const target = added.size > 0 ? await addChoices(tx, present, added) : present;
    const guard = { table: target, epoch, spaceId };
    const operation = operationOf(context, 'restore');
    const insert = async (on: Parameters<typeof insertKept>[0]): Promise<true | undefined> =>
      (await insertKept(on, guard, records, columns, operation).catch((error: unknown) => {
        throw explainConstraint(error, target, columns, request);
      })) || undefined;
    if (((await insert(tx)) ?? (await withRoom(context, tx, guard, records.length, insert))) === undefined) throw new Stale('access');
    if (added.size > 0) context.catalog.forget(tableId);
    return { operationId: operation.publicId, recordIds: records.map(({ id }) => id), cells: rows.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0) };
  } catch (error) {
    throw explain(error, rows, table);
  }
};
