import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { showProblem } from '../ui/toast.ts';
import type { BasePerson } from './queries.ts';
import { cellsOfFilter } from './new-record-cells.ts';
import { recordsKey } from './queries.ts';
import { useDefaultCells } from './record-templates.ts';
import { makeRecords } from './undo/records.ts';
import type { TableRecords } from './table-records.ts';

interface AddRecordInput {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  records: TableRecords;
}

/**
 * Makes a record with these cells, those of a template, or else of the one that the view begins with, and those that the filter of the view determines. It can be
 * undone; answers its id, or nothing when it was refused.
 */
export const useAddRecord = ({
  tableId,
  view,
  fields,
  people,
  records: { window },
}: AddRecordInput): ((
  cells?: Record<string, unknown>,
  ofTemplate?: Record<string, unknown>,
) => Promise<string | undefined>) => {
  const ownId = useMe().id;
  const defaults = useDefaultCells(tableId, view);
  return async (cells = {}, ofTemplate = defaults) => {
    try {
      const records = await makeRecords(tableId, {
        records: [{ fields: { ...cellsOfFilter(view, fields, { people, ownId }), ...ofTemplate, ...cells } }],
        fieldKeyType: 'id',
      });
      await Promise.all([window.reload(), queryClient.invalidateQueries({ queryKey: recordsKey(tableId) })]);
      return records[0]?.id;
    } catch (error) {
      showProblem(error, 'The record was not added.');
      return undefined;
    }
  };
};
