import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import type { Asked } from '../query/resolve-query.ts';
import { all } from '../query/filter.sql.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import { findByIndex, wishForSearchIndex } from '../record/search-index/find-by-index.ts';
import { wishForIndexes } from '../record/view-index/keep-query-indexes.ts';
import { countRecords } from './aggregation.sql.ts';

export const getRowCount = (request: Unconfirmed, asked: Asked): Promise<{ rowCount: number }> =>
  guardedRead(request, async (context, sight) => {
    const resolved = queryFor(sight, asked);
    const { where, deciding, wishes } = resolved;
    const begun = performance.now();
    const hint = await findByIndex(context, sight, resolved);
    const { count, ...facts } = await countRecords(boundedFor(context.db, deciding), sight, all([where, hint]));
    wishForSearchIndex(context, sight, resolved, performance.now() - begun);
    wishForIndexes(context, sight, wishes, performance.now() - begun);
    return { facts, value: { rowCount: count } };
  });
