// What the palette offers, from the server: bases, their tables, views and dashboards of the base that is open, and records by what is in them.
import { listRecords } from '@rowhouse/contract/record.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { basesQuery } from '../home/spaces-query.ts';
import { nodesQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';

interface FoundRecord {
  tableId: string;
  tableName: string;
  recordId: string;
  name: string;
}

/** Tables of more bases are not listed: each is a request. */
const mostBases = 30;
/** Tables that are searched for records: the one that is open first. */
const mostSearched = 8;
const recordsOfTable = 4;

export const usePlaces = (baseId: string | undefined) => {
  const bases = useQuery(basesQuery).data ?? [];
  const near = bases.toSorted((one, other) => Number(other.id === baseId) - Number(one.id === baseId));
  const listed = near.slice(0, mostBases);
  const tables = useQueries({
    queries: listed.map(({ id }) => ({ ...tablesQuery(id), staleTime: 60_000 })),
    combine: (answers) =>
      answers.flatMap(({ data }, at) =>
        (data ?? []).map((table) => ({ table, base: listed[at] as (typeof bases)[0] })),
      ),
  });
  const own = tables.filter(({ base }) => base.id === baseId);
  const views = useQueries({
    queries: own.map(({ table }) => ({ ...viewsQuery(table.id), staleTime: 60_000 })),
    combine: (answers) =>
      answers.flatMap(({ data }, at) => (data ?? []).map((view) => ({ view, ...(own[at] as (typeof own)[0]) }))),
  });
  const dashboards = (useQuery({ ...nodesQuery(baseId ?? ''), enabled: baseId !== undefined }).data ?? [])
    .filter(({ resourceType }) => resourceType === 'dashboard')
    .map(({ resourceId, resourceMeta: { name } }) => ({ id: resourceId, name }));
  return { bases, tables, views, own, dashboards };
};

/** `text` has been typed for a moment. */
export const useFoundRecords = (
  tables: readonly { id: string; name: string }[],
  text: string,
): { records: FoundRecord[]; isSearching: boolean } => {
  const wanted = text.trim();
  return useQueries({
    queries: (wanted.length < 2 ? [] : tables.slice(0, mostSearched)).map(({ id, name }) => ({
      queryKey: ['palette', id, wanted],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FoundRecord[]> => {
        const { records } = await call(listRecords, {
          params: { tableId: id },
          query: { search: [wanted, '', 'true'], take: recordsOfTable, withGroups: false, fieldKeyType: 'id' },
          signal,
        });
        return records.map((record) => ({
          tableId: id,
          tableName: name,
          recordId: record.id,
          name: record.name ?? '',
        }));
      },
      staleTime: 10_000,
      retry: false,
    })),
    combine: (answers) => ({
      records: answers.flatMap(({ data }) => data ?? []),
      isSearching: answers.some(({ isPending }) => isPending),
    }),
  });
};
