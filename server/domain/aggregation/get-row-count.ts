import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import type { Asked } from '../query/resolve-query.ts';
import { queryFor } from '../record/read/list-records.ts';
import { countRecords } from './aggregation.sql.ts';

export const getRowCount = (request: Unconfirmed, asked: Asked): Promise<{ rowCount: number }> =>
  guardedRead(request, async (context, sight) => {
    const { count, ...facts } = await countRecords(context.db, sight, queryFor(sight, asked).where);
    return { facts, value: { rowCount: count } };
  });
