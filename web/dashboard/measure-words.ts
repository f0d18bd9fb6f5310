// What a measure is called, and its values as they are read.
import type { Measure } from '@rowhouse/contract/chart.ts';
import type { MeasureWords } from '@rowhouse/contract/chart-data.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { formatNumber, withThousands } from '../field-type/number/number-format.ts';
import { statisticWords } from '../view-type/grid/statistic/statistic-words.ts';

type Words = Record<Measure['statistic'], string>;

/** As people say it before "of Amount". */
const of: Partial<Words> = {
  sum: 'Sum of',
  average: 'Average of',
  min: 'Lowest',
  max: 'Highest',
  unique: 'Different values of',
  empty: 'Without',
  filled: 'With',
};

export const measureName = (
  measure: Pick<Measure, 'statistic' | 'label'>,
  field: Pick<Field, 'name'> | undefined,
): string => {
  if (measure.label !== undefined && measure.label.trim() !== '') return measure.label;
  if (measure.statistic === 'count') return 'Records';
  const name = field?.name ?? 'a deleted field';
  const words = of[measure.statistic];
  return words === undefined ? `${name}: ${statisticWords[measure.statistic].toLowerCase()}` : `${words} ${name}`;
};

/** How a value is written. */
export interface ValueText {
  /** Whole. */
  text: (value: number) => string;
  /** Where room is short: 12.5K. */
  short: (value: number) => string;
}

const steps = [
  { from: 1e12, unit: 'T' },
  { from: 1e9, unit: 'B' },
  { from: 1e6, unit: 'M' },
  { from: 1e3, unit: 'K' },
] as const;

/** At most four digits. */
export const compact = (value: number): string => {
  const size = Math.abs(value);
  const step = steps.find(({ from }) => size >= from);
  const shown = step === undefined || size < 10_000 ? value : value / step.from;
  const digits = Number(shown.toPrecision(size < 10_000 ? 6 : 3));
  return `${withThousands(digits)}${size < 10_000 ? '' : (step?.unit ?? '')}`;
};

/** Where nothing is said of how values are written. */
export const plainText: ValueText = { text: (value) => withThousands(Number(value.toFixed(2))), short: compact };

export const textOf = ({ prefix = '', suffix = '', decimals, isPercent }: MeasureWords): ValueText => {
  if (isPercent === true)
    return {
      text: (value) => formatNumber(value, { type: 'percent', precision: decimals ?? 0 }),
      short: (value) => `${Number((value * 100).toFixed(1))}%`,
    };
  const around = (digits: string): string =>
    digits.startsWith('-') ? `-${prefix}${digits.slice(1)}${suffix}` : `${prefix}${digits}${suffix}`;
  return {
    text: (value) => around(withThousands(decimals === undefined ? Number(value.toFixed(2)) : value.toFixed(decimals))),
    short: (value) => around(compact(value)),
  };
};

export const nameOf = ({ label, statistic, fieldName }: MeasureWords): string =>
  measureName(
    { label, statistic: statistic as Measure['statistic'] },
    fieldName === undefined ? undefined : { name: fieldName },
  );
