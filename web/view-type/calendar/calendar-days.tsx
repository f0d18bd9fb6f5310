// The days of a calendar, in weeks or with their hours: for those who work in a table, and for visitors of a share.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { dateFormattingOf, formatDate } from '../../field-type/date/date-format.ts';
import { weekdayNames, weekOf } from '../../field-type/date/month.ts';
import { classNames } from '../../ui/class-names.ts';
import type { CalendarFields } from './calendar-fields.ts';
import { CalendarWeek } from './calendar-week.tsx';
import { HourGrid } from './hour-grid.tsx';
import { isTimed, showsTime } from './hours.ts';
import { rowsOf, type Span } from './spans.ts';

/** What may be done with the records; each is absent where nobody may. */
interface CalendarActs {
  onAdd?: ((day: string, minutes?: number) => void) | undefined;
  onDay?: ((recordId: string, day: string) => void) | undefined;
  onStep?: ((recordId: string, days: number) => void) | undefined;
  onTime?: ((recordId: string, day: string, minutes: number) => void) | undefined;
  onMinutes?: ((recordId: string, days: number, minutes: number) => void) | undefined;
  onLengthen?: ((recordId: string, minutes: number) => void) | undefined;
}

interface CalendarDaysProps {
  span: Span;
  day: string;
  today: string;
  fields: CalendarFields;
  records: readonly RecordVo[];
  /** They have been read. */
  isReady: boolean;
  acts: CalendarActs;
  /** While something is dragged, bars let the day below them have it. */
  isDragging?: boolean;
  onOpen: (recordId: string) => void;
}

const lanesOfMonth = 3;
const workday = 9 * 60;

export const CalendarDays = ({
  span,
  day,
  today,
  fields,
  records,
  isReady,
  acts,
  isDragging = false,
  onOpen,
}: CalendarDaysProps) => {
  const { start } = fields;
  const rows = rowsOf(span, day);
  const days = rows[0] as string[];
  const hasHours = span !== 'month' && showsTime(start);
  const formatting = dateFormattingOf(start.options);
  const timeOf = ({ fields: { [start.id]: moment } }: RecordVo): string =>
    formatting.time === 'None' || typeof moment !== 'string'
      ? ''
      : formatDate(moment, formatting).slice(formatDate(moment, { ...formatting, time: 'None' }).length + 1);
  const columns = { gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` };
  const gutter = hasHours && <div aria-hidden className="w-12 shrink-0 border-r border-line bg-surface" />;
  const { onAdd, onDay, onStep, onTime, onMinutes, onLengthen } = acts;
  const names = (width: 'short' | 'long'): string[] =>
    days.map((one) => weekdayNames(width)[weekOf(one).indexOf(one)] as string);
  return (
    <div
      role="grid"
      aria-label={`Calendar by ${start.name}`}
      data-scroll
      className={classNames(
        'flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-line print:overflow-visible',
        isDragging && '[&_[data-bar]]:pointer-events-none',
      )}
    >
      <div className={classNames('shrink-0', hasHours ? 'sticky top-0 z-10 border-b border-line' : 'contents')}>
        <div
          role="row"
          className={classNames(
            'flex shrink-0 border-b border-line bg-surface text-[12px] text-ink-soft',
            !hasHours && 'sticky top-0 z-10',
          )}
        >
          {gutter}
          <div className="grid min-w-0 flex-1" style={columns}>
            {names('short').map((name, index) => (
              <div key={name} role="columnheader" aria-label={names('long')[index]} className="truncate px-2 py-1.5">
                {name}
              </div>
            ))}
          </div>
        </div>
        {hasHours && (
          <div className="flex max-h-48 overflow-y-auto">
            {gutter}
            <div className="flex min-w-0 flex-1 flex-col">
              <CalendarWeek
                week={days}
                month={undefined}
                today={today}
                lanes={Number.POSITIVE_INFINITY}
                least={2}
                fields={fields}
                records={records.filter((record) => !isTimed(fields, record))}
                timeOf={timeOf}
                onOpen={onOpen}
                onAdd={onAdd === undefined ? undefined : (at) => onAdd(at, workday)}
                onMove={onDay}
                onStep={onStep}
              />
            </div>
          </div>
        )}
      </div>
      {hasHours ? (
        <HourGrid
          days={days}
          fields={fields}
          records={records}
          isReady={isReady}
          timeOf={timeOf}
          onOpen={onOpen}
          onAdd={onAdd}
          onDrop={onTime}
          onMove={onMinutes}
          onLengthen={onLengthen}
        />
      ) : (
        rows.map((week) => (
          <CalendarWeek
            key={week[0]}
            week={week}
            month={span === 'month' ? day.slice(0, 7) : undefined}
            today={today}
            lanes={span === 'month' ? lanesOfMonth : Number.POSITIVE_INFINITY}
            fields={fields}
            records={records}
            timeOf={timeOf}
            onOpen={onOpen}
            onAdd={onAdd}
            onMove={onDay}
            onStep={onStep}
          />
        ))
      )}
    </div>
  );
};
