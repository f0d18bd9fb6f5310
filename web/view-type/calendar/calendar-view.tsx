// Records on their days: a month, a week or a day at a time.
import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { allows, type Standing } from '../../app/standing.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { createStored } from '../../app/stored.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { MissingField } from '../../ui/empty-state.tsx';
import { whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { useAddRecord } from '../../record-data/use-add-record.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { CalendarDays } from './calendar-days.tsx';
import { type CalendarFields, calendarFieldsOf, dayOf, filterFor, moveToDay } from './calendar-fields.ts';
import { atMinutes, showsTime, usualLength } from './hours.ts';
import { NewDateField } from './new-date-field.tsx';
import { isSpan, rowsOf, type Span } from './spans.ts';
import { UndatedList } from './undated-list.tsx';
import { useCalendarActs } from './use-calendar-acts.ts';

interface CalendarViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Standing;
  records: TableRecords;
  search: string;
  onOpen: (recordId: string) => void;
}

const mostRecords = 1_000;
const storedSpan = createStored<Span>('rowhouse.calendar', 'month', (value) => (isSpan(value) ? value : undefined));

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
  const canChange = useMayChangeView(view, role);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const rows = rowsOf(span, day);
  const first = rows[0]?.[0] as string;
  const last = rows.at(-1)?.at(-1) as string;
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
  const acts = useCalendarActs(tableId, chosen, shown, records);
  const add = async (on: string, minutes?: number): Promise<void> => {
    const begin = minutes === undefined ? moveToDay(start, undefined, on) : atMinutes(start, on, minutes);
    const lasts = minutes !== undefined && end !== undefined && end.isComputed !== true && showsTime(end);
    const id = await addRecord({
      [start.id]: begin,
      ...(lasts ? { [end.id]: atMinutes(start, on, minutes + usualLength) } : {}),
    });
    if (id !== undefined) onOpen(id);
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
          canChange={canChange}
          hasUndated={hasUndated}
          onSpan={storedSpan.write}
          onDay={setDay}
          onUndated={() => setUndated(!hasUndated)}
        />
        <div className="px-4 empty:hidden">
          <ProblemNote error={found.error} />
        </div>
        <CalendarDays
          span={span}
          day={day}
          today={today}
          fields={chosen}
          records={shown}
          isReady={found.isSuccess && !found.isPlaceholderData}
          isDragging={isDragging}
          acts={{
            ...(mayWrite && allows(role, 'record|create') ? { onAdd: (on, minutes) => void add(on, minutes) } : {}),
            ...(mayMove
              ? {
                  onDay: (recordId, to) => void acts.toDay(recordId, to),
                  onStep: (recordId, days) => void acts.byDays(recordId, days),
                  onTime: (recordId, to, minutes) => void acts.toTime(recordId, to, minutes),
                  onMinutes: (recordId, days, minutes) => void acts.byMinutes(recordId, days, minutes),
                  ...(end === undefined || !showsTime(end)
                    ? {}
                    : { onLengthen: (recordId: string, minutes: number) => void acts.lengthen(recordId, minutes) }),
                }
              : {}),
          }}
          onOpen={onOpen}
        />
      </div>
      {hasUndated && (
        <UndatedList
          tableId={tableId}
          view={view}
          start={start}
          mayMove={mayMove}
          onOpen={onOpen}
          onClear={(recordId) => void acts.clear(recordId)}
          onClose={() => setUndated(false)}
        />
      )}
    </div>
  );
};
