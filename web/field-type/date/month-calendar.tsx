// A month to choose a day from, beside a date that is typed.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { addMonths, dayName, monthName, weekdayNames, weeksOf } from './month.ts';

interface MonthCalendarProps {
  /** `2026-03-04` */
  chosen: string | undefined;
  today: string;
  onChoose: (day: string) => void;
}

const step = 'flex size-7 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink';

export const MonthCalendar = ({ chosen, today, onChoose }: MonthCalendarProps) => {
  const wanted = (chosen ?? today).slice(0, 7);
  // It shows the month of what is typed, until somebody turns its pages.
  const [turned, setTurned] = useState<{ from: string; month: string }>();
  const month = turned?.from === wanted ? turned.month : wanted;
  const turn = (count: number): void => setTurned({ from: wanted, month: addMonths(month, count) });
  return (
    // The focus stays where the date is typed.
    <div className="w-64 p-2 select-none" onMouseDown={(event) => event.preventDefault()}>
      <div className="mb-1 flex items-center justify-between">
        <button type="button" tabIndex={-1} aria-label="Previous month" className={step} onClick={() => turn(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </button>
        <span className="text-[13px] font-medium">{monthName(month)}</span>
        <button type="button" tabIndex={-1} aria-label="Next month" className={step} onClick={() => turn(1)}>
          <ChevronRight size={16} aria-hidden />
        </button>
      </div>
      <div role="grid" aria-label={monthName(month)} className="text-[12px] tabular-nums">
        <div role="row" className="grid grid-cols-7">
          {weekdayNames('short').map((weekday) => (
            <span key={weekday} role="columnheader" className="py-1 text-center text-ink-faint">
              {weekday.slice(0, 2)}
            </span>
          ))}
        </div>
        {weeksOf(month).map((week) => (
          <div key={week[0]} role="row" className="grid grid-cols-7">
            {week.map((day) => (
              <span
                key={day}
                role="gridcell"
                title={dayName(day)}
                aria-selected={day === chosen}
                aria-current={day === today ? 'date' : undefined}
                onClick={() => onChoose(day)}
                className={classNames(
                  'mx-auto flex size-8 cursor-pointer items-center justify-center rounded-full',
                  day === chosen
                    ? 'bg-accent font-medium text-accent-ink'
                    : day === today
                      ? 'font-semibold text-accent hover:bg-accent-soft'
                      : day.startsWith(month)
                        ? 'hover:bg-sunken'
                        : 'text-ink-faint hover:bg-sunken',
                )}
              >
                {Number(day.slice(8))}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};
