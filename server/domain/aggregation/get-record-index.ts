import type { getRecordIndex as endpoint } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Unconfirmed } from '../../context.ts';
import { selectPlace } from './aggregation.sql.ts';
import { aggregate } from './get-aggregation.ts';

export const getRecordIndex = (
  request: Unconfirmed,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> =>
  aggregate(request, query, async (db, { where, keys }, sight) => {
    const index = await selectPlace(db, sight, query.recordId, where, keys);
    return index === null ? null : { index };
  });
