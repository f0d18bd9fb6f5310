// The one way in which the cell of a button changes: under the lock of its record, with history and all that follows, as any other cell.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import { type FieldSchema, storedField } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { type Steps, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import { fieldTypeOf } from '../cell/types.ts';
import type { Stored } from '../cell/type.ts';
import { gateFor, passGate, settlePlanOf } from '../record/write/links.ts';
import { announceUpdate, explainNoUpdate, type PlannedUpdate, writeUpdate } from '../record/write/update-records.ts';
import { lockRows, type UpdatedRow } from '../record/write/update.sql.ts';
import { operationOf } from '../record/write/write.ts';
import { selectPresses } from './button.sql.ts';

export interface OfCell {
  tableId: string;
  recordId: string;
  fieldId: string;
}

const buttonOf = (sight: Sight, fieldId: string): FieldSchema => {
  const field = sight.byId.get(fieldId);
  if (field === undefined) throw notFound('Field', fieldId);
  if (fieldTypeOf(field).isOnlyKept !== true)
    throw invalid({
      path: 'fieldId',
      message: `"${field.name}" is of type ${field.type}`,
      expected: 'the id of a button field',
    });
  return field;
};

interface PlannedCount {
  field: FieldSchema;
  update: PlannedUpdate;
}

interface CountChange<Done, Answered> {
  cell: OfCell;
  /** Refuses what is wrong whatever the count is. */
  demand(context: Context, field: FieldSchema): void;
  /** The cell that follows from the present count; throws where it may not change. */
  next(field: FieldSchema, count: number): Stored;
  /** In the same transaction, after it was written. */
  follow(context: TableContext, sight: Sight, field: FieldSchema): Promise<Done>;
  answer(context: TableContext, recordJson: string, done: Done): Answered;
}

const withValue = (update: PlannedUpdate, value: Stored): PlannedUpdate => ({
  ...update,
  cells: { ...update.cells, columns: update.cells.columns.map((column) => ({ ...column, values: [value] })) },
});

export const countSteps = <Done, Answered>(
  change: CountChange<Done, Answered>,
): Steps<PlannedCount, { row: UpdatedRow; done: Done }, Answered> => {
  const { recordId, fieldId } = change.cell;
  return {
    async plan(context, sight) {
      const field = buttonOf(sight, fieldId);
      change.demand(context, field);
      const columns = [{ field: storedField(field), type: fieldTypeOf(field), values: [null] }];
      const update: PlannedUpdate = {
        sight,
        request: { rows: [{ id: recordId, fields: {} }], keyType: 'id', typecast: false },
        ids: [recordId],
        cells: { columns, report: undefined },
        added: new Map(),
        operation: operationOf(context, 'update'),
        plan: settlePlanOf(sight.table, 'update', columns, context.deferred),
        unlinked: { records: [], create: async () => undefined },
        files: [],
      };
      return { field, update };
    },
    needsTransaction: () => true,
    opening: ({ update }) => gateFor(update.plan),
    async write(context, { field, update }) {
      const { db } = context;
      const { table } = update.sight;
      if (update.plan !== null) await passGate(db, update.plan);
      // Two who press at once do so one after the other: the second one counts on from the first.
      await lockRows(db, table, [recordId]);
      const count = await selectPresses(db, update.sight, recordId, field);
      if (count === undefined) throw notFound('Record', recordId);
      const rows = await writeUpdate(context, withValue(update, change.next(field, count)));
      if (rows instanceof Unwritten) return rows;
      return { row: rows[0] as UpdatedRow, done: await change.follow(context, update.sight, field) };
    },
    refuse: (context, { update }) => explainNoUpdate(context, update),
    answer(context, { update }, { row, done }) {
      announceUpdate(context, update);
      return change.answer(context, `${row.json}}`, done);
    },
  };
};
