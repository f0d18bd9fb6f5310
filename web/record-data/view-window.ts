import { getGroupPoints, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { call } from '../app/call.ts';
import { inParts } from '../app/in-parts.ts';
import { recordsPage, sizeOf } from './first-questions.ts';
import { createRecordWindow, type RecordWindow } from './record-window.ts';

/** The records of a view, page by page; of those only what is searched for. */
export const createViewWindow = (
  tableId: string,
  viewId: string,
  isGrouped: () => boolean,
  found: { search?: string[] } = {},
): RecordWindow => {
  const params = { tableId };
  return createRecordWindow({
    load: (from, count, signal) =>
      inParts(from, count, async (skip, take) => {
        const query = { ...recordsPage(viewId, skip, take), ...found };
        return (await call(listRecords, { params, query, signal })).records;
      }),
    isGrouped,
    size: async (signal) => {
      const query = { ...sizeOf(viewId), ...found };
      if (!isGrouped()) return { count: (await call(getRowCount, { params, query, signal })).rowCount };
      const groups = await call(getGroupPoints, { params, query, signal });
      return { count: groups.reduce((sum, point) => sum + (point.type === 1 ? point.count : 0), 0), groups };
    },
  });
};
