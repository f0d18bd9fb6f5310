import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import type { Asked } from '../query/resolve-query.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import { countRecords } from './aggregation.sql.ts';

export const getRowCount = (request: Unconfirmed, asked: Asked): Promise<{ rowCount: number }> =>
  guardedRead(request, async (context, sight) => {
    const { where, deciding } = queryFor(sight, asked);
    const { count, ...facts } = await countRecords(boundedFor(context.db, deciding), sight, where);
    return { facts, value: { rowCount: count } };
  });
