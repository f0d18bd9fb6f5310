// The records that are ticked, also those that are not loaded.
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { call } from '../../../app/call.ts';
import { recordsPage } from '../../../record-data/first-questions.ts';
import { chunks } from '../paste-cells.ts';

/** Ids travel in the address of a request, which is limited to some 16 kB. */
const idsPerRequest = 300;
const rowsPerRequest = 1_000;
/** More are not held in the memory of a page. */
export const mostChosen = 20_000;

interface Chosen {
  tableId: string;
  viewId: string;
  fieldIds: readonly string[];
  ticked: { all: boolean; ids: ReadonlySet<string> };
  find: (recordId: string) => RecordVo | undefined;
  onProgress: (count: number) => void;
}

export const loadChosen = async ({
  tableId,
  viewId,
  fieldIds,
  ticked,
  find,
  onProgress,
}: Chosen): Promise<RecordVo[]> => {
  const read = async (query: object): Promise<RecordVo[]> =>
    (
      await call(listRecords, {
        params: { tableId },
        query: { fieldKeyType: 'id', projection: [...fieldIds], ...query },
      })
    ).records;
  const found = new Map<string, RecordVo>();
  const take = (records: readonly RecordVo[]): void => {
    for (const record of records) found.set(record.id, record);
    onProgress(found.size);
  };
  if (!ticked.all) {
    take([...ticked.ids].flatMap((id) => find(id) ?? []));
    const unknown = [...ticked.ids].filter((id) => !found.has(id));
    for (const part of chunks(unknown, idsPerRequest)) take(await read({ selectedRecordIds: part, take: part.length }));
    return [...found.values()];
  }
  for (let skip = 0; skip < mostChosen + ticked.ids.size; skip += rowsPerRequest) {
    const page = await read(recordsPage(viewId, skip, rowsPerRequest));
    take(page.filter(({ id }) => !ticked.ids.has(id)));
    if (page.length < rowsPerRequest) break;
  }
  return [...found.values()];
};
