// What every aggregation does around its statements: plan on the remembered schema, and look whether it still holds.
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedRead, seen, type TableContext } from '../../pipeline/pipeline.ts';
import type { Asked, ResolvedQuery } from '../query/resolve-query.ts';
import { queryFor } from '../record/read/list-records.ts';

export const aggregate = <T>(request: Unconfirmed, asked: Asked, work: (context: TableContext, resolved: ResolvedQuery, sight: Sight) => Promise<T>): Promise<T> =>
  guardedRead(request, async (context, sight) => seen(context, sight, await work(context, queryFor(sight, asked), sight)));
