// Days with their hours, below each other as on a clock. It begins in the morning, or where the first record does.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { useEffect, useRef, useState } from 'react';
import type { CalendarFields } from './calendar-fields.ts';
import { HourDay } from './hour-day.tsx';
import { blocksOf, clockOf, dayMinutes, nowOf } from './hours.ts';

interface HourGridProps {
  days: readonly string[];
  fields: CalendarFields;
  records: readonly RecordVo[];
  /** The records have been read. */
  isReady: boolean;
  timeOf: (record: RecordVo) => string;
  onOpen: (recordId: string) => void;
  onAdd: ((day: string, minutes: number) => void) | undefined;
  onDrop: ((recordId: string, day: string, minutes: number) => void) | undefined;
  onMove: ((recordId: string, days: number, minutes: number) => void) | undefined;
  onLengthen: ((recordId: string, minutes: number) => void) | undefined;
}

const hours = Array.from({ length: 24 }, (_item, hour) => hour);
const hourHeight = 3;
const morning = 7 * 60;

export const HourGrid = ({
  days,
  fields,
  records,
  isReady,
  timeOf,
  onOpen,
  onAdd,
  onDrop,
  onMove,
  onLengthen,
}: HourGridProps) => {
  const grabbed = useRef(0);
  const place = useRef<HTMLDivElement>(null);
  const [now, setNow] = useState(() => nowOf(fields.start, new Date()));
  const { start } = fields;
  useEffect(() => {
    const timer = setInterval(() => setNow(nowOf(start, new Date())), 30_000);
    return () => clearInterval(timer);
  }, [start]);
  const earliest = Math.min(morning, ...days.flatMap((day) => blocksOf(fields, records, day).map(({ from }) => from)));
  // Only when other days are shown: what comes or moves later does not take the page along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const scroller = place.current?.closest('[data-scroll]');
    if (isReady && place.current && scroller)
      scroller.scrollTop = (Math.floor(earliest / 60) * 60 * place.current.offsetHeight) / dayMinutes - 10;
  }, [isReady, days[0], days.length]);
  return (
    <div ref={place} role="row" className="flex shrink-0" style={{ height: `${24 * hourHeight}rem` }}>
      <div aria-hidden className="relative w-12 shrink-0 border-r border-line bg-surface text-[11px] text-ink-faint">
        {hours.slice(1).map((hour) => (
          <span key={hour} className="absolute right-1.5 -translate-y-1/2" style={{ top: `${hour * hourHeight}rem` }}>
            {clockOf(hour * 60)}
          </span>
        ))}
      </div>
      <div
        className="grid min-w-0 flex-1 bg-surface"
        style={{
          gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))`,
          backgroundImage: `repeating-linear-gradient(to bottom, transparent 0, transparent calc(${hourHeight}rem - 1px), var(--color-line) calc(${hourHeight}rem - 1px), var(--color-line) ${hourHeight}rem)`,
        }}
      >
        {days.map((day) => (
          <HourDay
            key={day}
            day={day}
            fields={fields}
            records={records}
            now={now.day === day ? now.minutes : undefined}
            timeOf={timeOf}
            onOpen={onOpen}
            onAdd={onAdd === undefined ? undefined : (minutes) => onAdd(day, minutes)}
            onDrop={onDrop === undefined ? undefined : (recordId, minutes) => onDrop(recordId, day, minutes)}
            onMove={onMove}
            onLengthen={onLengthen}
            grabbed={grabbed}
          />
        ))}
      </div>
    </div>
  );
};
