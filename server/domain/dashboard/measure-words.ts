// What a chart says of its values: visitors of a share do not know the chart, and its fields may be written in another way.
import type { Measure } from '@rowhouse/contract/chart.ts';
import type { ChartDataOf, MeasureWords } from '@rowhouse/contract/chart-data.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { cellTypeOf } from '../cell/types.ts';
import { type Drawn, groupingsOf, measuresOf, type ResolvedChart } from './resolve-chart.ts';

interface NumberFormatting {
  type?: string;
  precision?: number;
  symbol?: string;
}

/** These are written as their field is; the others count. */
const likeTheField: readonly Measure['statistic'][] = ['sum', 'average', 'min', 'max'];

const ofField = (field: FieldSchema | undefined): Partial<MeasureWords> => {
  const {
    type,
    precision,
    symbol = '$',
  } = ((field?.options as { formatting?: NumberFormatting } | undefined)?.formatting ?? {}) as NumberFormatting;
  return {
    ...(typeof precision === 'number' ? { decimals: precision } : {}),
    ...(type === 'currency' ? { prefix: symbol } : {}),
    ...(type === 'percent' ? { isPercent: true } : {}),
  };
};

const ofMeasure = ({ statistic, label = '', format }: Measure, field: FieldSchema | undefined): MeasureWords => ({
  label,
  statistic,
  ...(field === undefined ? {} : { fieldName: field.name }),
  ...(format !== undefined && Object.keys(format).length > 0
    ? format
    : likeTheField.includes(statistic)
      ? ofField(field)
      : statistic.startsWith('percent')
        ? { suffix: '%', decimals: 1 }
        : {}),
});

const ofAxis = (field: FieldSchema | undefined): MeasureWords => ({
  label: field?.name ?? '',
  statistic: 'sum',
  ...ofField(field),
});

export const wordsOf = (
  chart: Drawn,
  { measures, keys, fields }: ResolvedChart,
): Pick<ChartDataOf<'groups'>, 'measures' | 'groupedBy'> => ({
  measures:
    chart.type === 'scatter'
      ? [ofAxis(fields.get('x')), ofAxis(fields.get('y'))]
      : measuresOf(chart).map(([, measure], at) => ofMeasure(measure, measures[at]?.field)),
  groupedBy: groupingsOf(chart).map(([path, { by = 'month' }]) => {
    const field = keys.get(path)?.field;
    return {
      name: field?.name ?? '',
      ...(field !== undefined && cellTypeOf(field).kind === 'date' ? { by } : {}),
    };
  }),
});
