import type { Unconfirmed } from '../../context.ts';
import type { ReadFacts } from '../../pipeline/guard.sql.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import type { Asked } from '../query/resolve-query.ts';
import { all } from '../query/filter.sql.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import { findByIndex, wishForSearchIndex } from '../record/search-index/find-by-index.ts';
import { wishForIndexes } from '../record/view-index/keep-query-indexes.ts';
import { keptAnswer } from '../record/read/kept-answer.ts';
import { countRecords } from './aggregation.sql.ts';

export const getRowCount = (request: Unconfirmed, asked: Asked): Promise<{ rowCount: number }> =>
  guardedRead(request, async (context, sight) => {
    const resolved = queryFor(sight, asked);
    const { where, deciding, wishes } = resolved;
    const begun = performance.now();
    let facts: ReadFacts | undefined;
    const rowCount = await keptAnswer(context, sight, { asked, fields: deciding, where, of: 'count' }, async () => {
      const hint = await findByIndex(context, sight, resolved);
      const { count, ...found } = await countRecords(boundedFor(context.db, deciding), sight, all([where, hint]));
      facts = found;
      return count;
    });
    wishForSearchIndex(context, sight, resolved, performance.now() - begun);
    wishForIndexes(context, sight, wishes, performance.now() - begun);
    return facts === undefined ? seen(context, sight, { rowCount }) : { facts, value: { rowCount } };
  });
