// What of a table's history is asked for: by whom, of which field, from when to when.
import type { listTableHistory } from '@rowhouse/contract/history.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';

export interface HistoryFilter {
  /** Empty: everyone, every field. */
  personId: string;
  fieldId: string;
  span: 'always' | 'today' | 'week' | 'month' | 'between';
  /** Days as `<input type="date">` has them. */
  from: string;
  to: string;
}

export const everything: HistoryFilter = { personId: '', fieldId: '', span: 'always', from: '', to: '' };

export const spans: { value: HistoryFilter['span']; label: string }[] = [
  { value: 'always', label: 'Any time' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'The last 7 days' },
  { value: 'month', label: 'The last 30 days' },
  { value: 'between', label: 'Between two days' },
];

const startOfDay = (day: Date, daysAgo: number): string =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).toISOString();

const momentOf = (day: string, time: string): string | undefined => {
  const moment = new Date(`${day}T${time}`);
  return day === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

type Query = NonNullable<QueryOf<typeof listTableHistory>>;

/** Days are those of the person who looks. */
export const historyQuery = ({ personId, fieldId, span, from, to }: HistoryFilter, now = new Date()): Query => {
  const startDate =
    span === 'today'
      ? startOfDay(now, 0)
      : span === 'week'
        ? startOfDay(now, 6)
        : span === 'month'
          ? startOfDay(now, 29)
          : span === 'between'
            ? momentOf(from, '00:00:00.000')
            : undefined;
  const endDate = span === 'between' ? momentOf(to, '23:59:59.999') : undefined;
  return {
    take: 30,
    ...(personId === '' ? {} : { createdByIds: [personId] }),
    ...(fieldId === '' ? {} : { fieldIds: [fieldId] }),
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate }),
  };
};
