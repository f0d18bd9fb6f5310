import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { getRecordStatus as endpoint } from '@rowhouse/contract/record.ts';
import type { Context } from '../../context.ts';
import type { Asked } from '../query/plan.ts';
import { selectStatus } from './aggregation.sql.ts';
import { aggregate } from './frame.ts';

export const getRecordStatus = (context: Context, recordId: string, asked: Asked): Promise<ResponseOf<typeof endpoint>> =>
  aggregate(context, asked, ({ where }, table) => selectStatus(context.db, table, recordId, where));
