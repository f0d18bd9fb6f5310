// The records of rows, also of those that are not loaded: what is selected may reach far beyond what is seen.
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
  for (let row = first; row <= last; row += 1) {
    const known = recordAt(row);
    const place = rows.placeAt(row);
    if (known !== undefined) records.push(known);
    if (known !== undefined || place === undefined) continue;
    // As many as stand together and are not loaded.
    let take = 1;
    while (row + take <= last && take < most && recordAt(row + take) === undefined && rows.placeAt(row + take) === place + take) take += 1;
    const page = await call(listRecords, { params: { tableId }, query: recordsPage(viewId, place, take) });
    records.push(...page.records);
    row += take - 1;
  }
  return records;
};
