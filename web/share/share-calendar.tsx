// A month of a shared calendar.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { getShareCalendar } from '@rowhouse/contract/share.ts';
import { useEffect, useState } from 'react';
import { ask, messageOf, nameOf, type Share } from './ask.ts';

type Days = ResponseOf<typeof getShareCalendar>;

const dayText = (day: Date): string => `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;

/** Whole weeks from Monday on. */
const daysOf = (month: Date): Date[] => {
  const first = new Date(month.getFullYear(), month.getMonth(), 1);
  const lead = (first.getDay() + 6) % 7;
  const count = Math.ceil((lead + new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate()) / 7) * 7;
  return Array.from({ length: count }, (_, at) => new Date(month.getFullYear(), month.getMonth(), 1 - lead + at));
};

const zoneOf = (options: Record<string, unknown> | undefined): string => (options?.['formatting'] as { timeZone?: string } | undefined)?.timeZone ?? 'UTC';

const dayIn = (moment: unknown, timeZone: string): string | undefined =>
  typeof moment === 'string' ? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(moment)) : undefined;

const buttonClass = 'h-9 rounded-lg border border-line-strong bg-surface px-3 font-medium hover:bg-sunken';

export const ShareCalendar = ({ share, changes }: { share: Share; changes: number }) => {
  const { shareId, fields, view } = share;
  const { startDateFieldId, endDateFieldId } = view.options as { startDateFieldId?: string | null; endDateFieldId?: string | null };
  const [month, setMonth] = useState(() => new Date());
  const [found, setFound] = useState<Days>({ countMap: {}, records: [] });
  const [note, setNote] = useState('');
  const days = daysOf(month);
  const [from, until] = [dayText(days[0] as Date), dayText(days.at(-1) as Date)];
  useEffect(() => {
    if (typeof startDateFieldId !== 'string') return;
    ask(getShareCalendar, { params: { shareId }, query: { startDate: `${from}T00:00:00Z`, endDate: `${until}T23:59:59Z`, startDateFieldId, endDateFieldId: endDateFieldId ?? startDateFieldId } }).then(
      (answer) => {
        setFound(answer);
        setNote('');
      },
      (error: unknown) => setNote(messageOf(error)),
    );
  }, [shareId, startDateFieldId, endDateFieldId, from, until, changes]);
  if (typeof startDateFieldId !== 'string') return <p className="p-8 text-center text-ink-faint">This calendar has no date field.</p>;
  const zone = zoneOf(fields.find(({ id }) => id === startDateFieldId)?.options);
  const on = (day: string) => found.records.filter((record) => {
    const start = dayIn(record.fields[startDateFieldId], zone);
    const end = dayIn(record.fields[endDateFieldId ?? startDateFieldId], zone) ?? start;
    return start !== undefined && start <= day && day <= (end as string);
  });
  const move = (by: number): void => setMonth(new Date(month.getFullYear(), month.getMonth() + by, 1));
  return (
    <div className="p-4">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 className="mr-2 text-[15px] font-semibold" aria-live="polite">{month.toLocaleDateString(undefined, { month: 'long', year: 'numeric' })}</h2>
        <button type="button" aria-label="Month before" className={buttonClass} onClick={() => move(-1)}>‹</button>
        <button type="button" aria-label="Next month" className={buttonClass} onClick={() => move(1)}>›</button>
        <p role="status" className="text-ink-soft">{note}</p>
      </div>
      <ol className="grid grid-cols-1 overflow-hidden rounded-xl border border-line bg-surface sm:grid-cols-7">
        {days.map((day) => {
          const name = dayText(day);
          return (
            <li key={name} aria-label={day.toDateString()} className={`min-h-20 border-r border-b border-line p-1.5 ${day.getMonth() === month.getMonth() ? '' : 'bg-sunken text-ink-faint max-sm:hidden'}`}>
              <span className="text-[12px] text-ink-faint">{day.getDate()}</span>
              {on(name).map((record) => (
                <p key={record.id} className="mt-1 truncate rounded bg-accent-soft px-1.5 text-[12px] text-accent" title={nameOf(record)}>{nameOf(record)}</p>
              ))}
            </li>
          );
        })}
      </ol>
    </div>
  );
};
