// The records of a view of bars: all of them, with the cells that it rests on.
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { useColors } from '../../field-type/cell/record-colors.tsx';
import { orderOf, whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { createReadOnce } from './read-once.ts';

const pageSize = 1_000;
/** More than anybody follows; what is beyond is told. */
export const mostBars = 10_000;

export interface BarRecords {
  records: readonly RecordVo[];
  /** There are more. */
  isFull: boolean;
}

export const barsKey = (tableId: string, viewId: string) => [...recordsKey(tableId), 'bars', viewId] as const;

/** Of ten thousand records that takes a second. */
export const barReads = createReadOnce<BarRecords>();

const readAll = async (tableId: string, query: QueryOf<typeof listRecords>): Promise<BarRecords> => {
  const records: RecordVo[] = [];
  let cursor: string | null | undefined;
  do {
    const page: ResponseOf<typeof listRecords> = await call(listRecords, {
      params: { tableId },
      query: { ...query, take: pageSize, ...(cursor == null ? {} : { cursor }) },
    });
    records.push(...page.records);
    cursor = page.extra?.nextCursor ?? null;
  } while (cursor !== null && records.length < mostBars);
  return { records, isFull: cursor !== null };
};

/** `made`: of which fields bars are made. */
export const useBarRecords = (
  tableId: string,
  view: View,
  fields: readonly Field[],
  made: readonly (Field | undefined)[],
  search: string,
) => {
  const colors = useColors();
  const primary = fields.filter(({ isPrimary }) => isPrimary === true);
  const needed = [...made, ...primary].flatMap((field) => field?.id ?? []);
  const fieldIds = [...new Set([...needed, ...colors.fieldIds])].toSorted();
  return useQuery({
    queryKey: [...barsKey(tableId, view.id), view.filter, view.sort, fieldIds, search],
    queryFn: ({ queryKey }) =>
      barReads.read(
        JSON.stringify(queryKey),
        () =>
          readAll(tableId, {
            ...whichRecords(view.id),
            ...orderOf(view.id),
            fieldKeyType: 'id',
            projection: fieldIds,
            withGroups: false,
            ...(search === '' ? {} : { search: [search, '', 'true'] }),
          }),
        () => void queryClient.invalidateQueries({ queryKey, exact: true }),
      ),
    placeholderData: (before) => before,
  });
};
