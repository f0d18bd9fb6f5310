// The records of rows, also of those that are not loaded: what is selected may reach far beyond what is seen.
import { ApiError } from '@rowhouse/contract/error.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { call } from '../../app/call.ts';
import { recordsPage } from '../first-questions.ts';
import type { GroupRows } from '../group/group-rows.ts';

export interface LoadableRows {
  tableId: string;
  viewId: string;
  rows: GroupRows;
  recordAt: (row: number) => RecordVo | undefined;
}

const most = 1_000;

/** From top to bottom, without the headers of groups. */
export const loadRows = async ({ tableId, viewId, rows, recordAt }: LoadableRows, first: number, last: number): Promise<RecordVo[]> => {
  const records: RecordVo[] = [];
  const known = new Set<string>();
  const take = (found: readonly RecordVo[]): void => {
    for (const record of found) {
      // Somebody has put another row among these meanwhile: what follows would go to the wrong ones.
      if (known.has(record.id)) throw new ApiError('conflict', 'Someone has moved these rows while they were read');
      known.add(record.id);
      records.push(record);
    }
  };
  for (let row = first; row <= last; row += 1) {
    const loaded = recordAt(row);
    const place = rows.placeAt(row);
    if (loaded !== undefined) take([loaded]);
    if (loaded !== undefined || place === undefined) continue;
    // As many as stand together and are not loaded.
    let count = 1;
    while (row + count <= last && count < most && recordAt(row + count) === undefined && rows.placeAt(row + count) === place + count) count += 1;
    take((await call(listRecords, { params: { tableId }, query: recordsPage(viewId, place, count) })).records);
    row += count - 1;
  }
  return records;
};
