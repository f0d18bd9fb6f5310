import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { getRecordStatus as endpoint } from '@rowhouse/contract/record.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Asked } from '../query/resolve-query.ts';
import { selectStatus } from './aggregation.sql.ts';
import { aggregate } from './get-aggregation.ts';

export const getRecordStatus = (
  request: Unconfirmed,
  recordId: string,
  asked: Asked,
): Promise<ResponseOf<typeof endpoint>> =>
  aggregate(request, asked, (db, { where }, sight) => selectStatus(db, sight, recordId, where));
