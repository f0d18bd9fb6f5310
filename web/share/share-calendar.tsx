// A shared calendar: the days of the app's own, without moving anything.
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { type CalendarFields, calendarFieldsOf, dayOf, filterFor } from '../view-type/calendar/calendar-fields.ts';
import { CalendarDays } from '../view-type/calendar/calendar-days.tsx';
import { isSpan, rowsOf, type Span, spanName, spans, stepped } from '../view-type/calendar/spans.ts';
import { whichRecords } from '../record-data/own-query.ts';
import { recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { MissingField } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

interface ShareCalendarProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  onOpen: (recordId: string) => void;
}

const pageSize = 1_000;
/** More than anybody reads in a month; what is beyond is told. */
const mostRecords = 10_000;

export const ShareCalendar = (props: ShareCalendarProps) => {
  const chosen = calendarFieldsOf(props.view, props.fields);
  if (chosen === undefined)
    return (
      <MissingField icon={<CalendarRange size={20} />} title="This calendar has no date field">
        The owner of the view can choose one.
      </MissingField>
    );
  return <Dated {...props} chosen={chosen} />;
};

const Dated = ({ tableId, view, search, onOpen, chosen }: ShareCalendarProps & { chosen: CalendarFields }) => {
  const { start, end } = chosen;
  const today = dayOf(start, new Date().toISOString()) as string;
  const [span, setSpan] = useState<Span>('month');
  const [day, setDay] = useState(today);
  const rows = rowsOf(span, day);
  const [first, last] = [rows[0]?.[0] as string, rows.at(-1)?.at(-1) as string];
  const found = useQuery({
    queryKey: [...recordsKey(tableId), 'calendar', view.id, start.id, end?.id, first, last, search],
    queryFn: async ({ signal }) => {
      const which = {
        ...whichRecords(view.id, filterFor(chosen, first, last)),
        ...(search === '' ? {} : { search: [search, '', 'true'] }),
      };
      const query = {
        ...which,
        fieldKeyType: 'id' as const,
        orderBy: JSON.stringify([{ fieldId: start.id, order: 'asc' }]),
        take: pageSize,
      };
      const records: RecordVo[] = [];
      let cursor: string | null | undefined;
      do {
        const page: ResponseOf<typeof listRecords> = await call(listRecords, {
          params: { tableId },
          query: { ...query, ...(cursor == null ? {} : { cursor }) },
          signal,
        });
        records.push(...page.records);
        cursor = page.extra?.nextCursor ?? null;
      } while (cursor !== null && records.length < mostRecords);
      return {
        records,
        missing:
          cursor === null
            ? 0
            : (await call(getRowCount, { params: { tableId }, query: which, signal })).rowCount - records.length,
      };
    },
    placeholderData: (before) => before,
  });
  const { records: shown, missing } = found.data ?? { records: [], missing: 0 };
  const step = (by: number): void => setDay(stepped(span, day, by));
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <div className="flex flex-wrap items-center gap-1.5 bg-surface px-3 py-2">
        <Button size="small" onClick={() => setDay(today)}>
          Today
        </Button>
        <IconButton label={`Previous ${span}`} onClick={() => step(-1)}>
          <ChevronLeft size={17} />
        </IconButton>
        <IconButton label={`Next ${span}`} onClick={() => step(1)}>
          <ChevronRight size={17} />
        </IconButton>
        <h2 aria-live="polite" className="min-w-32 flex-1 text-[16px] font-semibold">
          {spanName(span, day)}
        </h2>
        {missing > 0 && (
          <span className="text-[13px] text-warn">
            {missing.toLocaleString('en')} more records are not shown. A week, or a search, shows fewer at once.
          </span>
        )}
        <Choice label="Shown" value={span} options={spans} onValue={(next) => isSpan(next) && setSpan(next)} />
      </div>
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
        acts={{}}
        onOpen={onOpen}
      />
    </div>
  );
};
