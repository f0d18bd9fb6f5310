import { countOf, resetButton } from '@rowhouse/contract/button.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { ButtonCell } from '../field-type/cell/button-cell.tsx';
import { buttonOptions, pressWords } from '../field-type/cell/button-words.ts';
import { recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { showProblem } from '../ui/toast.ts';

interface RecordButtonProps {
  id: string;
  canReset: boolean;
  tableId: string;
  recordId: string;
  field: Field;
  value: unknown;
}

/** A button in an open record, with how often it was pressed. */
export const RecordButton = ({ id, canReset, tableId, recordId, field, value }: RecordButtonProps) => {
  const reset = async (): Promise<void> => {
    try {
      await call(resetButton, { params: { tableId, recordId, fieldId: field.id } });
    } catch (error) {
      showProblem(error, 'The count was not reset.');
    }
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  return (
    <div id={id} className="flex flex-wrap items-center gap-3">
      <ButtonCell tableId={tableId} recordId={recordId} field={field} value={value} />
      <span className="text-[13px] text-ink-faint">{pressWords(value)}</span>
      {canReset && buttonOptions(field).resetCount === true && countOf(value) > 0 && (
        <Button size="small" look="ghost" onClick={() => void reset()}>
          Reset
        </Button>
      )}
    </div>
  );
};
