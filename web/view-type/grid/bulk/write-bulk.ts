// Writes the same values into many records: in parts that the server takes, undone with one step.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { queryClient } from '../../../app/query-client.ts';
import { newStep } from '../../../app/window-steps.ts';
import { decidingFields } from '../../../record-data/live/change-effect.ts';
import { fieldsQuery } from '../../../record-data/queries.ts';
import type { TableRecords } from '../../../record-data/table-records.ts';
import type { Progress } from '../../../record-data/undo/records.ts';
import { counted, showToast } from '../../../ui/toast.ts';
import { chunks } from '../paste-cells.ts';
import type { Cursor } from '../selection/use-cursor.ts';
import { bulkChanges } from './bulk-values.ts';

interface BulkTarget {
  tableId: string;
  view: View;
  records: Pick<TableRecords, 'edits' | 'undo' | 'window'>;
  cursor: Pick<Cursor, 'touch'>;
}

export interface BulkOptions {
  typecast: boolean;
  onProgress: (progress: Progress) => void;
}

const recordsPerRequest = 2_000;

/** Throws what the server refused; what was written before that is told, with the way back. */
export const writeBulk = async (
  { tableId, view, records: { edits, undo, window }, cursor }: BulkTarget,
  records: readonly RecordVo[],
  values: ReadonlyMap<string, unknown>,
  { typecast, onProgress }: BulkOptions,
): Promise<void> => {
  const changed = records.filter((record) => bulkChanges([record], values, edits.beforeOf).length > 0);
  const deciding = decidingFields(view);
  if ([...values.keys()].some((fieldId) => deciding.has(fieldId))) cursor.touch(changed.map(({ id }) => id));
  const step = newStep();
  let processed = 0;
  let refused: { error: unknown } | undefined;
  for (const part of chunks(changed, recordsPerRequest)) {
    if (changed.length > recordsPerRequest) onProgress({ processed, total: changed.length });
    const result = await edits.edit(bulkChanges(part, values, edits.beforeOf), {
      typecast,
      step,
      onRefused: (error) => (refused = { error }),
    });
    if (result === 'refused') break;
    processed += part.length;
  }
  if (typecast) await queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  if (processed > 0)
    showToast({
      kind: 'note',
      title:
        refused === undefined
          ? `${counted(processed, 'record')} updated.`
          : `${processed.toLocaleString('en')} of ${counted(changed.length, 'record')} updated.`,
      about: step,
      action: { label: 'Undo', run: () => void undo.undo(step) },
    });
  else if (refused === undefined) showToast({ kind: 'note', title: 'All selected records have these values already.' });
  // Records beyond the loaded pages may have another place by now.
  void window.reload();
  if (refused !== undefined) throw refused.error;
};
