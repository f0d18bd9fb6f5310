import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import type { Asked } from '../query/resolve-query.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import { wishForIndexes } from '../record/view-index/keep-query-indexes.ts';
import { countRecords } from './aggregation.sql.ts';

export const getRowCount = (request: Unconfirmed, asked: Asked): Promise<{ rowCount: number }> =>
  guardedRead(request, async (context, sight) => {
    const { where, deciding, wishes } = queryFor(sight, asked);
    const begun = performance.now();
    const { count, ...facts } = await countRecords(boundedFor(context.db, deciding), sight, where);
    wishForIndexes(context, sight, wishes, performance.now() - begun);
    return { facts, value: { rowCount: count } };
  });
