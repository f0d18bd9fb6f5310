// The records of rows, also of those that are not loaded: what is selected may reach far beyond what is seen.
import { ApiError } from '@rowhouse/contract/error.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { call } from '../../../app/call.ts';
import { inParts } from '../../../app/in-parts.ts';
import { recordsPage } from '../../../record-data/first-questions.ts';
import type { GroupRows } from '../group/group-rows.ts';

interface LoadableRows {
  tableId: string;
  viewId: string;
  rows: Pick<GroupRows, 'placeAt'>;
  recordAt: (row: number) => RecordVo | undefined;
  /** What else the rows were found by. */
  search?: readonly string[] | undefined;
}

/** So many records are read at once. */
export const rowsAtOnce = 1_000;

/** Others may add, move or delete rows while these are read, part by part: then the rows that follow are not those that were selected. */
const moved = (): ApiError => new ApiError('conflict', 'Someone moved these rows while they were being read');

type ReadPart = (skip: number, take: number) => Promise<readonly RecordVo[]>;

const readerOf =
  ({ tableId, viewId, search }: LoadableRows, fieldIds: readonly string[]): ReadPart =>
  (from, count) =>
    inParts(from, count, async (skip, take) => {
      const query = {
        ...recordsPage(viewId, skip, take),
        projection: [...fieldIds],
        ...(search === undefined ? {} : { search: [...search] }),
      };
      return (await call(listRecords, { params: { tableId }, query })).records;
    });

/**
 * From top to bottom, without the headers of groups. Each part is read with the row above it, and the one below it where that is
 * known: if they are still the same, all between them is what the person saw between them.
 */
export const loadRows = async (
  loadable: LoadableRows,
  first: number,
  last: number,
  fieldIds: readonly string[],
  readPart: ReadPart = readerOf(loadable, fieldIds),
): Promise<RecordVo[]> => {
  const { rows, recordAt } = loadable;
  const records: RecordVo[] = [];
  const known = new Set<string>();
  /** Where the last record of `records` stands. */
  let end: number | undefined;
  const take = (found: readonly RecordVo[], place: number | undefined): void => {
    for (const record of found) {
      if (known.has(record.id)) throw moved();
      known.add(record.id);
      records.push(record);
    }
    if (place !== undefined) end = place + found.length - 1;
  };
  for (let row = first; row <= last; row += 1) {
    const loaded = recordAt(row);
    const place = rows.placeAt(row);
    if (loaded !== undefined) take([loaded], place);
    if (loaded !== undefined || place === undefined) continue;
    // As many as stand together and are not loaded.
    let count = 1;
    while (
      row + count <= last &&
      count < rowsAtOnce &&
      recordAt(row + count) === undefined &&
      rows.placeAt(row + count) === place + count
    )
      count += 1;
    const above = end === place - 1 ? records.at(-1) : undefined;
    const below =
      row + count <= last && rows.placeAt(row + count) === place + count ? recordAt(row + count) : undefined;
    const found = await readPart(
      above === undefined ? place : place - 1,
      count + (above === undefined ? 0 : 1) + (below === undefined ? 0 : 1),
    );
    if (above !== undefined && found[0]?.id !== above.id) throw moved();
    if (below !== undefined && found.at(-1)?.id !== below.id) throw moved();
    take(found.slice(above === undefined ? 0 : 1, below === undefined ? undefined : -1), place);
    row += count - 1;
  }
  return records;
};
