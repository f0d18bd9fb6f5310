// A month of records on their days.
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { createRecords, listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showProblem } from '../../ui/toast.ts';
import { MissingField } from '../missing-field.tsx';
import { recordsKey } from '../queries.ts';
import type { TableRecords } from '../use-table-records.ts';
import { byDay, calendarFieldsOf, dayOf, filterFor, moveToDay } from './calendar-fields.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { CalendarDay } from './calendar-day.tsx';
import { weekdayNames, weeksOf } from './month.ts';

export interface CalendarViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  role: Role;
  records: TableRecords;
  onOpen: (recordId: string) => void;
}

const mostRecords = 1_000;

export const CalendarView = ({ tableId, view, fields, role, records, onOpen }: CalendarViewProps) => {
  const chosen = calendarFieldsOf(view, fields);
  const today = dayOf(chosen?.start ?? ({ options: {} } as Field), new Date().toISOString()) as string;
  const [month, setMonth] = useState(today.slice(0, 7));
  const weeks = weeksOf(month);
  const first = weeks[0]?.[0] as string;
  const last = weeks.at(-1)?.at(-1) as string;
  const found = useQuery({
    queryKey: [...recordsKey(tableId), 'calendar', view.id, view.filter, chosen?.start.id, chosen?.end?.id, month],
    queryFn: async ({ signal }) => {
      if (chosen === undefined) return [];
      const query = { viewId: view.id, fieldKeyType: 'id' as const, filter: filterFor(chosen, first, last), orderBy: JSON.stringify([{ fieldId: chosen.start.id, order: 'asc' }]), take: mostRecords, withGroups: false };
      return (await call(listRecords, { params: { tableId }, query, signal })).records;
    },
    enabled: chosen !== undefined,
    placeholderData: (before) => before,
  });

  if (chosen === undefined) {
    return (
      <MissingField icon={<CalendarDays size={20} />} title="No date field">
        Add a date field in a grid view; records then stand on their days here.
      </MissingField>
    );
  }
  const { start } = chosen;
  const days = byDay(chosen, found.data ?? [], first, last);
  const mayWrite = start.isComputed !== true;
  const add = async (day: string): Promise<void> => {
    try {
      const made = await call(createRecords, { params: { tableId }, body: { records: [{ fields: { [start.id]: moveToDay(start, undefined, day) } }], fieldKeyType: 'id' } });
      await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
      if (made.records[0] !== undefined) onOpen(made.records[0].id);
    } catch (error) {
      showProblem(error, 'The record was not added.');
    }
  };
  const move = async (recordId: string, day: string): Promise<void> => {
    const record = found.data?.find(({ id }) => id === recordId);
    if (record === undefined) return;
    await records.edits.edit([{ recordId, fieldId: start.id, value: moveToDay(start, record.fields[start.id], day) }]);
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  const none: RecordVo[] = [];
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <CalendarBar tableId={tableId} view={view} fields={fields} chosen={chosen} month={month} today={today} isFull={found.data?.length === mostRecords} canChange={allows(role, 'view|update') && view.isLocked !== true} onMonth={setMonth} />
      <div className="px-4 empty:hidden">
        <ProblemNote error={found.error} />
      </div>
      <div role="grid" aria-label={`Calendar by ${start.name}`} className="flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-line">
        <div role="row" className="grid shrink-0 grid-cols-7 border-b border-line bg-surface text-[12px] text-ink-soft">
          {weekdayNames('short').map((name, index) => (
            <div key={name} role="columnheader" aria-label={weekdayNames('long')[index]} className="truncate px-2 py-1.5">
              {name}
            </div>
          ))}
        </div>
        {weeks.map((week) => (
          <div key={week[0]} role="row" className="grid min-h-20 flex-[1_0_auto] grid-cols-7 sm:min-h-28">
            {week.map((day) => (
              <CalendarDay
                key={day}
                day={day}
                isToday={day === today}
                isOutside={!day.startsWith(month)}
                records={days.get(day) ?? none}
                onOpen={onOpen}
                onAdd={mayWrite && allows(role, 'record|create') ? () => void add(day) : undefined}
                onMove={mayWrite && allows(role, 'record|update') ? (recordId) => void move(recordId, day) : undefined}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};
