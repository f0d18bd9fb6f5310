// A week of the calendar. A record stands in the cell of the day it begins on, and is drawn over the days it lasts.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { CalendarFields } from './calendar-fields.ts';
import { CalendarDay } from './calendar-day.tsx';
import { laneHeight } from './lanes.ts';
import { barsOf } from './lanes.ts';

interface CalendarWeekProps {
  week: readonly string[];
  /** Undefined where days of all months are alike. */
  month: string | undefined;
  today: string;
  /** So many bars below each other; the rest is behind a button. */
  lanes: number;
  /** Its least height, in rem. */
  least?: number;
  fields: CalendarFields;
  records: readonly RecordVo[];
  /** What is said before the name of a record: its time. */
  timeOf: (record: RecordVo) => string;
  onOpen: (recordId: string) => void;
  /** Absent: nobody may. */
  onAdd: ((day: string) => void) | undefined;
  onMove: ((recordId: string, day: string) => void) | undefined;
  onStep: ((recordId: string, days: number) => void) | undefined;
}

export const CalendarWeek = ({
  week,
  month,
  today,
  lanes,
  least = 5.5,
  fields,
  records,
  timeOf,
  onOpen,
  onAdd,
  onMove,
  onStep,
}: CalendarWeekProps) => {
  const bars = barsOf(fields, records, week);
  const used = Math.min(lanes, Math.max(0, ...bars.map(({ lane }) => lane + 1)));
  const isCut = bars.some(({ lane }) => lane >= lanes);
  return (
    <div
      role="row"
      className="grid min-h-[var(--least)] flex-[1_0_auto] print:break-inside-avoid"
      style={{
        ['--least' as string]: `max(${least}rem, ${(least < 5.5 ? 2 : 2.25) + (used + (isCut ? 1 : 0)) * laneHeight}rem)`,
        gridTemplateColumns: `repeat(${week.length}, minmax(0, 1fr))`,
      }}
    >
      {week.map((day, column) => (
        <CalendarDay
          key={day}
          day={day}
          isToday={day === today}
          isOutside={month !== undefined && !day.startsWith(month)}
          begin={bars.filter(({ first, lane }) => first === column && lane < lanes)}
          all={bars.filter(({ first, last }) => first <= column && last >= column)}
          lanes={lanes}
          timeOf={timeOf}
          onOpen={onOpen}
          onAdd={onAdd === undefined ? undefined : () => onAdd(day)}
          onMove={onMove === undefined ? undefined : (recordId) => onMove(recordId, day)}
          onStep={onStep}
        />
      ))}
    </div>
  );
};
