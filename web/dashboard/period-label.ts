// A period as people write it; `first` is its first day.
import type { DateUnit } from '@rowhouse/contract/chart.ts';
import { monthNames } from '../field-type/date/date-format.ts';

export const periodLabel = (first: string, by: DateUnit): string => {
  const [, year, month = '', day = ''] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(first) ?? [];
  const name = monthNames[Number(month) - 1]?.slice(0, 3);
  if (year === undefined || name === undefined) return first;
  switch (by) {
    case 'year':
      return year;
    case 'quarter':
      return `Q${Math.ceil(Number(month) / 3)} ${year}`;
    case 'month':
      return `${name} ${year}`;
    case 'week':
      return `Week of ${Number(day)} ${name} ${year}`;
    case 'day':
      return `${Number(day)} ${name} ${year}`;
  }
};
