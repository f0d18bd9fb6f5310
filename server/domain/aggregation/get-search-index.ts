import type { getSearchIndex as endpoint } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { Context } from '../../context.ts';
import { shapeOf } from '../record/shape.ts';
import { type HitRow, selectHits } from './aggregation.sql.ts';
import { aggregate } from './frame.ts';

export const getSearchIndex = (context: Context, query: QueryOf<typeof endpoint>): Promise<HitRow[] | null> =>
  aggregate(context, query, async ({ where, search, keys }, table) => {
    if (search === null) return null;
    const projected = query.projection === undefined ? null : new Set(shapeOf(table, query).fields);
    const fields = projected === null ? search.fields : search.fields.filter((field) => projected.has(field));
    const hits = await selectHits(context.db, table, { where, search: { ...search, fields }, keys, take: query.take ?? 100, skip: query.skip ?? 0 });
    return hits.length === 0 ? null : hits;
  });
