// The record templates of a table, and which of them new records begin with.
import { listRecordTemplates, type RecordTemplate } from '@rowhouse/contract/record-template.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';

export const recordTemplatesQuery = (tableId: string) =>
  queryOptions({
    queryKey: ['record-templates', tableId],
    queryFn: ({ signal }) => call(listRecordTemplates, { params: { tableId }, signal }),
  });

export const reloadTemplates = (tableId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: recordTemplatesQuery(tableId).queryKey });

/** What a new record gets from it. */
export const cellsOfTemplate = ({ fields, fieldsLeftOut = [] }: RecordTemplate): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([id]) => !fieldsLeftOut.includes(id)));

export const defaultTemplateOf = ({ options }: View): string | undefined =>
  typeof options['recordTemplateId'] === 'string' ? options['recordTemplateId'] : undefined;

/** Cells that records begin with in this view: none while its template is in the trash. */
export const useDefaultCells = (tableId: string, view: View): Record<string, unknown> => {
  const id = defaultTemplateOf(view);
  const found = useQuery({ ...recordTemplatesQuery(tableId), enabled: id !== undefined }).data?.find(
    (template) => template.id === id,
  );
  return found === undefined ? {} : cellsOfTemplate(found);
};
