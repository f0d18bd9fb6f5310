import type { getSearchIndex as endpoint } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Sql } from '../../db/sql.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { all } from '../query/filter.sql.ts';
import type { Asked } from '../query/resolve-query.ts';
import type { Search } from '../query/search.sql.ts';
import { findByIndex, wishForSearchIndex } from '../record/search-index/find-by-index.ts';
import { shapeOf } from '../record/read/shape.ts';
import { countHits, type HitRow, selectHits } from './aggregation.sql.ts';
import { aggregate } from './get-aggregation.ts';

/** Goes by the index of texts although records in which nothing is found are shown, too: they have no hits. */
const withHits = async <T>(
  context: TableContext,
  sight: Sight,
  search: Search,
  work: (hint: Sql | null) => Promise<T>,
): Promise<T> => {
  const looked = { search: { ...search, hides: true }, containing: [] };
  const begun = performance.now();
  const found = await work(await findByIndex(context, sight, looked));
  wishForSearchIndex(context, sight, looked, performance.now() - begun);
  return found;
};

export const getSearchCount = (request: Unconfirmed, asked: Asked): Promise<{ count: number }> =>
  aggregate(request, asked, async (db, { where, search }, sight, context) => ({
    count:
      search === null
        ? 0
        : await withHits(context, sight, search, (hint) => countHits(db, sight, all([where, hint]), search)),
  }));

export const getSearchIndex = (request: Unconfirmed, query: QueryOf<typeof endpoint>): Promise<HitRow[] | null> =>
  aggregate(request, query, async (db, { where, search: asked, keys }, sight, context) => {
    if (asked === null) return null;
    const projected = query.projection === undefined ? null : new Set(shapeOf(sight, query).fields);
    const fields = projected === null ? asked.fields : asked.fields.filter((field) => projected.has(field));
    const search = { ...asked, fields };
    const [take, skip] = [query.take ?? 100, query.skip ?? 0];
    const hits = await withHits(context, sight, search, (hint) =>
      selectHits(db, sight, { where, search, hint, keys, take, skip }),
    );
    return hits.length === 0 ? null : hits;
  });
