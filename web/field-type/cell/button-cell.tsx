import type { Field } from '@rowhouse/contract/field.ts';
import { choiceColor } from './choice-color.ts';
import { shownCell } from '../cell-text.ts';
import { press } from './press.ts';

interface ButtonCellProps {
  /** Absent: it is shown, and cannot be pressed. */
  tableId: string | undefined;
  recordId: string;
  field: Field;
  value: unknown;
}

/** A button outside of the grid. */
export const ButtonCell = ({ tableId, recordId, field, value }: ButtonCellProps) => {
  const shown = shownCell(field, value);
  if (shown.as !== 'pressable') return null;
  const paint = choiceColor(shown.color);
  return (
    <button
      type="button"
      disabled={tableId === undefined || shown.isUsedUp}
      className="inline-flex max-w-full items-center rounded-md px-3 py-1 text-[13px] font-medium shadow-card disabled:opacity-55"
      style={{ background: paint.background, color: paint.text }}
      // It may stand on a card, which opens its record.
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        if (tableId !== undefined) press({ tableId, recordId, field, value });
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <span className="truncate">{shown.label}</span>
    </button>
  );
};
