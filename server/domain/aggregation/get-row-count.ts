import type { Context } from '../../context.ts';
import type { Asked } from '../query/plan.ts';
import { planFor } from '../record/list-records.ts';
import { retryWhenStale, tableOf } from '../record/write.ts';
import { countRecords } from './aggregation.sql.ts';
import { demandPresent } from './frame.ts';

export const getRowCount = (context: Context, asked: Asked): Promise<{ rowCount: number }> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    const found = await countRecords(context.db, table, planFor(context, table, asked).where);
    demandPresent(context, table, found);
    return { rowCount: found.count };
  });
