// What the table screens ask the server for, by one key each.
import { getBase } from '@rowhouse/contract/base.ts';
import { listBaseUsers } from '@rowhouse/contract/collaborator.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { listNodes } from '@rowhouse/contract/node.ts';
import { getRecord } from '@rowhouse/contract/record.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { listViews } from '@rowhouse/contract/view.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { notePictures } from '../app/pictures.ts';
import { queryClient } from '../app/query-client.ts';
import { withUnanswered } from '../app/unanswered.ts';
import { asTold } from './own-query.ts';
import { peopleOfBase } from './first-questions.ts';

export interface BasePerson {
  id: string;
  name: string;
  email: string;
  /** The address of a picture. */
  avatar?: string | null;
}

export const baseQuery = (baseId: string) =>
  queryOptions({ queryKey: ['base', baseId], queryFn: ({ signal }) => call(getBase, { params: { baseId }, signal }) });

export const tablesQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['tables', baseId],
    queryFn: ({ signal }) => call(listTables, { params: { baseId }, signal }),
  });

/** Tables and folders as they stand in the sidebar. */
export const nodesQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['nodes', baseId],
    queryFn: async ({ signal, queryKey }) =>
      withUnanswered(queryKey, await call(listNodes, { params: { baseId }, signal })),
  });

/** After a table or folder was made, renamed, moved or deleted. */
export const reloadTables = async (baseId: string): Promise<void> => {
  await Promise.all(
    [tablesQuery(baseId), nodesQuery(baseId)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  );
};

/** It was deleted: a page that looks for a table to open does not find it, also before the list is read again. */
export const forgetTable = async ({ baseId, tableId }: { baseId: string; tableId: string }): Promise<void> => {
  const { queryKey } = tablesQuery(baseId);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (tables) => tables?.filter(({ id }) => id !== tableId));
};

export const fieldsQuery = (tableId: string) =>
  queryOptions({
    queryKey: ['fields', tableId],
    queryFn: ({ signal }) => call(listFields, { params: { tableId }, signal }),
  });

export const viewsQuery = (tableId: string) =>
  queryOptions({
    queryKey: ['views', tableId],
    queryFn: async ({ signal, queryKey }) =>
      withUnanswered(queryKey, (await call(listViews, { params: { tableId }, signal })).map(asTold)),
  });

export const peopleQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['people', baseId],
    queryFn: async ({ signal }) => {
      const found = await call(listBaseUsers, { ...peopleOfBase(baseId), signal });
      notePictures(found.users);
      return found;
    },
    staleTime: 60_000,
  });

/** Everything that is made of the records of a table: it begins with this, and is read again when they change. */
export const recordsKey = (tableId: string) => ['records', tableId] as const;

export const recordQuery = (tableId: string, recordId: string) =>
  queryOptions({
    queryKey: [...recordsKey(tableId), 'record', recordId],
    queryFn: ({ signal }) => call(getRecord, { params: { tableId, recordId }, query: { fieldKeyType: 'id' }, signal }),
  });

/** Reads fields, views and records of a table again. */
export const reloadFields = async (tableId: string, reloadRecords: () => Promise<void>): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey }),
    queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey }),
  ]);
  await reloadRecords();
};

/** Of a table whose list is loaded. */
export const knownTableName = (tableId: string): string | undefined =>
  queryClient
    .getQueriesData<readonly { id: string; name: string }[]>({ queryKey: ['tables'] })
    .flatMap(([, tables]) => tables ?? [])
    .find(({ id }) => id === tableId)?.name;
