import { queryClient } from '../app/query-client.ts';
import { fieldsQuery, viewsQuery } from './queries.ts';

/** Reads fields, views and records of a table again. */
export const reloadFields = async (tableId: string, reloadRecords: () => Promise<void>): Promise<void> => {
  await Promise.all([queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey }), queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey })]);
  await reloadRecords();
};
