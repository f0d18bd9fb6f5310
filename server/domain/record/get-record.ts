// GET /table/:tableId/record/:recordId
import { notFound } from '@rowhouse/contract/error.ts';
import { Stale } from '../../catalog/stale.ts';
import type { Context } from '../../context.ts';
import { selectVersions } from './guard.sql.ts';
import { selectRecords } from './read.sql.ts';
import { type Reading, shapeOf } from './shape.ts';
import { retryWhenStale, tableOf } from './write.ts';

export const getRecord = (context: Context, recordId: string, reading: Reading): Promise<{ version: number; text: string }> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    const [row] = await selectRecords(context.db, table, [recordId], shapeOf(table, reading));
    const present = await selectVersions(context.db, { table, epoch: context.access.epoch });
    if (present.version !== table.version) throw new Stale('schema');
    if (present.epoch !== context.access.epoch) throw new Stale('access');
    if (row === undefined) throw notFound('Record', recordId);
    return { version: row.version, text: `${row.json}}` };
  });
