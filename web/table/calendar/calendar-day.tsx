import type { RecordVo } from '@rowhouse/contract/record.ts';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/popover.tsx';
import { useRecordDrop } from '../use-record-drop.ts';
import { dayName } from './month.ts';

export interface CalendarDayProps {
  day: string;
  isToday: boolean;
  /** Belongs to the month before or after. */
  isOutside: boolean;
  records: readonly RecordVo[];
  onOpen: (recordId: string) => void;
  /** Absent: nobody may. */
  onAdd: (() => void) | undefined;
  onMove: ((recordId: string) => void) | undefined;
}

const shownAtMost = 3;

const nameOf = ({ name }: RecordVo): string => (name === undefined || name === '' ? 'Unnamed record' : name);

const RecordChip = ({ record, draggable = false, onOpen }: { record: RecordVo; draggable?: boolean; onOpen: (recordId: string) => void }) => (
  <button
    type="button"
    draggable={draggable}
    onDragStart={(event) => event.dataTransfer.setData('text/plain', record.id)}
    onClick={() => onOpen(record.id)}
    className="block w-full truncate rounded-md bg-accent-soft px-1.5 py-0.5 text-left text-[12px] text-ink hover:bg-accent hover:text-accent-ink"
  >
    {nameOf(record)}
  </button>
);

export const CalendarDay = ({ day, isToday, isOutside, records, onOpen, onAdd, onMove }: CalendarDayProps) => {
  const { isOver, handlers } = useRecordDrop(onMove);
  const rest = records.length - shownAtMost;
  const all = (trigger: ReactNode): ReactNode => (
    <Popover label={dayName(day)} trigger={trigger}>
      <ul className="flex w-56 flex-col gap-1">
        {records.map((record) => (
          <li key={record.id}>
            <RecordChip record={record} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Popover>
  );
  return (
    <div
      role="gridcell"
      aria-label={dayName(day)}
      {...handlers}
      className={classNames('group flex min-w-0 flex-col gap-1 border-r border-b border-line p-1 last:border-r-0', isOutside ? 'bg-canvas' : 'bg-surface', isOver && 'bg-accent-soft')}
    >
      <div className="flex items-center">
        <span className={classNames('flex size-6 items-center justify-center rounded-full text-[12px] tabular-nums', isToday ? 'bg-accent font-semibold text-accent-ink' : isOutside ? 'text-ink-faint' : 'text-ink-soft')}>{Number(day.slice(8))}</span>
        {onAdd !== undefined && (
          <button type="button" aria-label={`Add a record on ${dayName(day)}`} title="Add a record" onClick={onAdd} className="ml-auto rounded p-0.5 text-ink-faint opacity-0 group-hover:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 [@media(hover:none)]:opacity-100">
            <Plus size={14} aria-hidden />
          </button>
        )}
      </div>
      <div className="hidden min-w-0 flex-col gap-1 sm:flex">
        {records.slice(0, shownAtMost).map((record) => (
          <RecordChip key={record.id} record={record} draggable={onMove !== undefined} onOpen={onOpen} />
        ))}
        {rest > 0 &&
          all(
            <button type="button" className="rounded px-1.5 text-left text-[12px] text-ink-soft hover:text-ink">
              {rest} more
            </button>,
          )}
      </div>
      {records.length > 0 && (
        <div className="sm:hidden">
          {all(
            <button type="button" aria-label={`${records.length} on ${dayName(day)}`} className="w-full rounded-md bg-accent-soft py-0.5 text-[12px] font-medium text-accent">
              {records.length}
            </button>,
          )}
        </div>
      )}
    </div>
  );
};
