import { tint, useCardColors } from '../../field-type/cell/record-colors.tsx';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { KeyboardEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { cardName } from '../../field-type/cell/card-fields.tsx';

interface RecordBarProps {
  record: RecordVo;
  /** Empty: it has none. */
  time: string;
  isCutLeft?: boolean;
  isCutRight?: boolean;
  onOpen: (recordId: string) => void;
  /** Absent: it stays where it is. */
  onStep?: ((recordId: string, days: number) => void) | undefined;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A record on its days. It is dragged, or moved with Alt and the arrow keys. */
export const RecordBar = ({ record, time, isCutLeft = false, isCutRight = false, onOpen, onStep }: RecordBarProps) => {
  const step = (event: KeyboardEvent): void => {
    const days = steps[event.key];
    if (!event.altKey || days === undefined || onStep === undefined) return;
    event.preventDefault();
    onStep(record.id, days);
  };
  const { row } = useCardColors(record);
  return (
    <button
      type="button"
      style={tint(row, 'cell')}
      draggable={onStep !== undefined}
      title={
        onStep === undefined ? cardName(record) : `${cardName(record)} · drag to move, or press Alt and an arrow key`
      }
      onDragStart={(event) => event.dataTransfer.setData('text/plain', record.id)}
      onKeyDown={step}
      onClick={() => onOpen(record.id)}
      className={classNames(
        'block h-6 w-full truncate rounded-md bg-accent-soft px-1.5 text-left text-[12px] leading-6 text-ink shadow-card ring-1 ring-accent/15 hover:bg-accent hover:text-accent-ink',
        isCutLeft && 'rounded-l-none',
        isCutRight && 'rounded-r-none',
      )}
    >
      {time !== '' && <span className="opacity-80">{time} </span>}
      {cardName(record)}
    </button>
  );
};
