import type { Context } from '../../context.ts';
import type { Asked } from '../query/plan.ts';
import { countHits } from './aggregation.sql.ts';
import { aggregate } from './frame.ts';

export const getSearchCount = (context: Context, asked: Asked): Promise<{ count: number }> =>
  aggregate(context, asked, async ({ where, search }, table) => ({ count: search === null ? 0 : await countHits(context.db, table, where, search) }));
