import type { getSearchIndex as endpoint } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Asked } from '../query/resolve-query.ts';
import { shapeOf } from '../record/read/shape.ts';
import { countHits, type HitRow, selectHits } from './aggregation.sql.ts';
import { aggregate } from './get-aggregation.ts';

export const getSearchCount = (request: Unconfirmed, asked: Asked): Promise<{ count: number }> =>
  aggregate(request, asked, async (db, { where, search }, sight) => ({
    count: search === null ? 0 : await countHits(db, sight, where, search),
  }));

export const getSearchIndex = (request: Unconfirmed, query: QueryOf<typeof endpoint>): Promise<HitRow[] | null> =>
  aggregate(request, query, async (db, { where, search, keys }, sight) => {
    if (search === null) return null;
    const projected = query.projection === undefined ? null : new Set(shapeOf(sight, query).fields);
    const fields = projected === null ? search.fields : search.fields.filter((field) => projected.has(field));
    const hits = await selectHits(db, sight, {
      where,
      search: { ...search, fields },
      keys,
      take: query.take ?? 100,
      skip: query.skip ?? 0,
    });
    return hits.length === 0 ? null : hits;
  });
