// Records on their days: a month or a week at a time.
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { createStored } from '../../app/stored.ts';
import { classNames } from '../../ui/class-names.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { dateFormattingOf, formatDate } from '../../field-type/date/date-format.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { MissingField } from '../../ui/empty-state.tsx';
import { whichRecords } from '../../record-data/own-query.ts';
import { recordQuery, recordsKey } from '../../record-data/queries.ts';
import { useAddRecord } from '../../record-data/use-add-record.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { type CalendarFields, calendarFieldsOf, dayOf, filterFor, movedBy, moveToDay } from './calendar-fields.ts';
import { CalendarWeek } from './calendar-week.tsx';
import { addDays, daysApart, weekdayNames, weekOf, weeksOf } from '../../field-type/date/month.ts';
import { NewDateField } from './new-date-field.tsx';
import { UndatedList } from './undated-list.tsx';

interface CalendarViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Role;
  records: TableRecords;
  search: string;
  onOpen: (recordId: string) => void;
}

const mostRecords = 1_000;
const lanesOfMonth = 3;

export type Span = 'month' | 'week';
const storedSpan = createStored<Span>('rowhouse.calendar', 'month', (value) =>
  value === 'month' || value === 'week' ? value : undefined,
);

export const CalendarView = (props: CalendarViewProps) => {
  const chosen = calendarFieldsOf(props.view, props.fields);
  if (chosen !== undefined) return <DatedCalendar {...props} chosen={chosen} />;
  return (
    <MissingField
      icon={<CalendarRange size={20} />}
      title="A calendar needs a date field"
      action={allows(props.role, 'field|create') && <NewDateField tableId={props.tableId} />}
    >
      Records appear on the days of that field.
    </MissingField>
  );
};

const DatedCalendar = ({
  tableId,
  view,
  fields,
  people,
  role,
  records,
  search,
  onOpen,
  chosen,
}: CalendarViewProps & { chosen: CalendarFields }) => {
  const { start, end } = chosen;
  const today = dayOf(start, new Date().toISOString()) as string;
  const span = storedSpan.use();
  const [day, setDay] = useState(today);
  const [hasUndated, setUndated] = useState(false);
  const [isDragging, setDragging] = useState(false);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const weeks = span === 'week' ? [weekOf(day)] : weeksOf(day.slice(0, 7));
  const first = weeks[0]?.[0] as string;
  const last = weeks.at(-1)?.at(-1) as string;
  const found = useQuery({
    queryKey: [...recordsKey(tableId), 'calendar', view.id, view.filter, start.id, end?.id, first, last, search],
    queryFn: async ({ signal }) => {
      const query = {
        ...whichRecords(view.id, filterFor(chosen, first, last)),
        fieldKeyType: 'id' as const,
        orderBy: JSON.stringify([{ fieldId: start.id, order: 'asc' }]),
        take: mostRecords,
        withGroups: false,
        ...(search === '' ? {} : { search: [search, '', 'true'] }),
      };
      return (await call(listRecords, { params: { tableId }, query, signal })).records;
    },
    placeholderData: (before) => before,
  });
  const shown = found.data ?? [];
  const mayWrite = start.isComputed !== true;
  const mayMove = mayWrite && end?.isComputed !== true && allows(role, 'record|update');
  const formatting = dateFormattingOf(start.options);
  const timeOf = (record: RecordVo): string =>
    formatting.time === 'None' || typeof record.fields[start.id] !== 'string'
      ? ''
      : formatDate(record.fields[start.id] as string, formatting).slice(
          formatDate(record.fields[start.id] as string, { ...formatting, time: 'None' }).length + 1,
        );

  /** Both ends move together. */
  const write = async (record: RecordVo, days: number | string | null): Promise<void> => {
    const cells =
      typeof days === 'number'
        ? movedBy(chosen, record, days)
        : [{ field: start, value: days === null ? null : moveToDay(start, record.fields[start.id], days) }];
    await records.edits.edit(
      cells.map(({ field, value }) => ({
        recordId: record.id,
        fieldId: field.id,
        value,
        before: records.edits.beforeOf(record, field.id),
      })),
      { isWhole: true },
    );
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  const move = async (recordId: string, to: string): Promise<void> => {
    // One that comes from the list of those without a day is not among what is shown.
    const record =
      shown.find(({ id }) => id === recordId) ?? (await queryClient.fetchQuery(recordQuery(tableId, recordId)));
    const from = dayOf(start, record.fields[start.id]);
    await write(record, from === undefined ? to : daysApart(from, to));
  };
  const clear = async (recordId: string): Promise<void> => {
    const record = shown.find(({ id }) => id === recordId);
    if (record !== undefined) await write(record, null);
  };

  return (
    // While something is dragged, bars let the day below them have it. Not at once: Chrome ends a drag whose element changes.
    <div
      className="relative flex min-h-0 min-w-0 flex-1"
      onDragStart={() => setTimeout(() => setDragging(true))}
      onDragEnd={() => setDragging(false)}
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
        <CalendarBar
          tableId={tableId}
          view={view}
          fields={fields}
          chosen={chosen}
          span={span}
          day={day}
          today={today}
          isFull={shown.length === mostRecords}
          canChange={allows(role, 'view|update') && view.isLocked !== true}
          hasUndated={hasUndated}
          onSpan={storedSpan.write}
          onDay={setDay}
          onUndated={() => setUndated(!hasUndated)}
        />
        <div className="px-4 empty:hidden">
          <ProblemNote error={found.error} />
        </div>
        <div
          role="grid"
          aria-label={`Calendar by ${start.name}`}
          className={classNames(
            'flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-line print:overflow-visible',
            isDragging && '[&_[data-bar]]:pointer-events-none',
          )}
        >
          <div
            role="row"
            className="sticky top-0 z-10 grid shrink-0 grid-cols-7 border-b border-line bg-surface text-[12px] text-ink-soft"
          >
            {weekdayNames('short').map((name, index) => (
              <div
                key={name}
                role="columnheader"
                aria-label={weekdayNames('long')[index]}
                className="truncate px-2 py-1.5"
              >
                {name}
              </div>
            ))}
          </div>
          {weeks.map((week) => (
            <CalendarWeek
              key={week[0]}
              week={week}
              month={span === 'month' ? day.slice(0, 7) : undefined}
              today={today}
              lanes={span === 'month' ? lanesOfMonth : Number.POSITIVE_INFINITY}
              fields={chosen}
              records={shown}
              timeOf={timeOf}
              onOpen={onOpen}
              onAdd={
                mayWrite && allows(role, 'record|create')
                  ? (at) =>
                      void addRecord({ [start.id]: moveToDay(start, undefined, at) }).then(
                        (id) => id !== undefined && onOpen(id),
                      )
                  : undefined
              }
              onMove={mayMove ? (recordId, to) => void move(recordId, to) : undefined}
              onStep={
                mayMove
                  ? (recordId, days) => {
                      const from = dayOf(start, shown.find(({ id }) => id === recordId)?.fields[start.id]);
                      if (from !== undefined) void move(recordId, addDays(from, days));
                    }
                  : undefined
              }
            />
          ))}
        </div>
      </div>
      {hasUndated && (
        <UndatedList
          tableId={tableId}
          view={view}
          start={start}
          mayMove={mayMove}
          onOpen={onOpen}
          onClear={(recordId) => void clear(recordId)}
          onClose={() => setUndated(false)}
        />
      )}
    </div>
  );
};
