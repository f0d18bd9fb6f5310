import type { RecordVo } from '@rowhouse/contract/record.ts';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/popover.tsx';
import { useRecordDrop } from '../grid/use-record-drop.ts';
import { laneHeight } from './lanes.ts';
import type { Bar } from './lanes.ts';
import { dayName } from '../../field-type/date/month.ts';
import { RecordBar } from './record-bar.tsx';

interface CalendarDayProps {
  day: string;
  isToday: boolean;
  /** Belongs to the month before or after. */
  isOutside: boolean;
  /** Bars that begin here, as far as there is room for them. */
  begin: readonly Bar[];
  /** Everything that is on this day. */
  all: readonly Bar[];
  lanes: number;
  timeOf: (record: RecordVo) => string;
  onOpen: (recordId: string) => void;
  /** Absent: nobody may. */
  onAdd: (() => void) | undefined;
  onMove: ((recordId: string) => void) | undefined;
  onStep: ((recordId: string, days: number) => void) | undefined;
}

export const CalendarDay = ({
  day,
  isToday,
  isOutside,
  begin,
  all,
  lanes,
  timeOf,
  onOpen,
  onAdd,
  onMove,
  onStep,
}: CalendarDayProps) => {
  const { isOver, handlers } = useRecordDrop(onMove);
  const rest = all.filter(({ lane }) => lane >= lanes).length;
  const listBehind = (trigger: ReactNode): ReactNode => (
    <Popover label={dayName(day)} trigger={trigger}>
      <ul className="flex w-56 flex-col gap-1">
        {all.map(({ record }) => (
          <li key={record.id}>
            <RecordBar record={record} time={timeOf(record)} onOpen={onOpen} />
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
      className={classNames(
        'group relative min-w-0 border-r border-b border-line p-1 last:border-r-0',
        isOver ? 'bg-accent-soft' : isOutside ? 'bg-canvas' : 'bg-surface',
      )}
    >
      <div className="flex h-6 items-center">
        <span
          className={classNames(
            'flex size-6 items-center justify-center rounded-full text-[12px]',
            isToday ? 'bg-accent font-semibold text-accent-ink' : isOutside ? 'text-ink-faint' : 'text-ink-soft',
          )}
        >
          {Number(day.slice(8))}
        </span>
        {onAdd !== undefined && (
          <button
            type="button"
            aria-label={`Add a record on ${dayName(day)}`}
            title="Add a record"
            onClick={onAdd}
            className="ml-auto rounded p-0.5 text-ink-faint opacity-0 group-hover:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
          >
            <Plus size={14} aria-hidden />
          </button>
        )}
      </div>
      {begin.map(({ record, first, last, lane, beginsBefore, endsAfter }) => (
        <div
          key={record.id}
          data-bar
          className="absolute left-1 z-[1] hidden sm:block"
          // Days are equally wide, with a line of 1px between them.
          style={{
            top: `${2 + lane * laneHeight}rem`,
            width: `calc(${last - first + 1} * 100% + ${last - first}px - 0.5rem)`,
          }}
        >
          <RecordBar
            record={record}
            time={timeOf(record)}
            isCutLeft={beginsBefore}
            isCutRight={endsAfter}
            onOpen={onOpen}
            onStep={onStep}
          />
        </div>
      ))}
      {rest > 0 && (
        <div className="absolute inset-x-1 hidden sm:block" style={{ top: `${2 + lanes * laneHeight}rem` }}>
          {listBehind(
            <button type="button" className="rounded px-1.5 text-left text-[12px] text-ink-soft hover:text-ink">
              {rest} more
            </button>,
          )}
        </div>
      )}
      {all.length > 0 && (
        <div className="sm:hidden">
          {listBehind(
            <button
              type="button"
              aria-label={`${all.length} on ${dayName(day)}`}
              className="w-full rounded-md bg-accent-soft py-0.5 text-[12px] font-medium text-accent"
            >
              {all.length}
            </button>,
          )}
        </div>
      )}
    </div>
  );
};
