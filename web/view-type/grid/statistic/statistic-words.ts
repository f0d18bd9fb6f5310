// What the statistics are called, and how their values are shown.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { dateFormattingOf, formatDate } from '../../../field-type/date/date-format.ts';
import { fieldTypeOf } from '../../../field-type/field-types.ts';

export const statisticWords: Record<Statistic, string> = {
  count: 'Count',
  empty: 'Empty',
  filled: 'Filled',
  unique: 'Unique',
  max: 'Max',
  min: 'Min',
  sum: 'Sum',
  average: 'Average',
  checked: 'Checked',
  unChecked: 'Not checked',
  percentEmpty: 'Empty %',
  percentFilled: 'Filled %',
  percentUnique: 'Unique %',
  percentChecked: 'Checked %',
  percentUnChecked: 'Not checked %',
  earliestDate: 'Earliest',
  latestDate: 'Latest',
  dateRangeOfDays: 'Range in days',
  dateRangeOfMonths: 'Range in months',
  totalAttachmentSize: 'Size of files',
};

const likeTheField: readonly Statistic[] = ['sum', 'min', 'max', 'average'];

export const statisticText = (
  field: Pick<Field, 'type' | 'options'>,
  statistic: Statistic,
  value: string | number | null,
): string => {
  if (value === null) return '–';
  if (typeof value === 'string') return formatDate(value, dateFormattingOf(field.options));
  if (statistic.startsWith('percent')) return `${Number(value.toFixed(1))}%`;
  if (!likeTheField.includes(statistic)) return value.toLocaleString('en');
  return fieldTypeOf(field.type).statisticText?.(field, value) ?? String(Number(value.toFixed(2)));
};
