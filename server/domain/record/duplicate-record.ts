// POST /table/:tableId/record/:recordId/duplicate
import { notFound } from '@rowhouse/contract/error.ts';
import type { Order } from '@rowhouse/contract/record.ts';
import type { Context } from '../../context.ts';
import { fieldTypeOf } from '../field/types.ts';
import { insertRecords } from './create-records.ts';
import { viewOf } from './order.ts';
import { selectRecords } from './read.sql.ts';
import { retryWhenStale, tableOf } from './write.ts';

export const duplicateRecord = (context: Context, recordId: string, order: Order | undefined): Promise<{ operationId: string; text: string }> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    if (order !== undefined) viewOf(table, order.viewId);
    const writable = table.fields.filter((field) => !fieldTypeOf(field.type).isComputed && !field.isUnique);
    const [row] = await selectRecords(context.db, table, [recordId], { fields: writable, keyType: 'id', format: 'json' });
    if (row === undefined) throw notFound('Record', recordId);
    const { fields } = JSON.parse(`${row.json}}`) as { fields: Record<string, unknown> };
    // Typecast keeps people who have left the base from failing the copy: their cells stay empty.
    const created = await insertRecords(context, context.db, table, { rows: [{ fields }], keyType: 'id', typecast: true, order });
    return { operationId: created.operationId, text: `{"records":[${[...created.records].join('')}]}` };
  });
