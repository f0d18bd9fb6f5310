// What a chart shows to one reader: values of the records that they see, or why there are none.
import { type Static, Type } from 'typebox';
import { dateUnits } from './chart.ts';
import { Field } from './field.ts';
import { Filter } from './filter.ts';
import { RecordVo } from './record.ts';

const Value = Type.Union([Type.Number(), Type.Null()]);
const filter = Type.Optional(Filter);

const ChartGroup = Type.Object({
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description:
      'What tells groups apart: the name of a choice, the id of a person or record, the first day of a period as `2024-01-31`; null for empty cells.',
  }),
  label: Type.String({ description: 'What a person reads; empty for empty cells.' }),
  color: Type.Optional(Type.String({ description: 'Of the choice.' })),
  filter: Type.Optional(
    Type.Union([Filter], {
      description: 'Holds for the records of the group. Absent in shares, and where no filter says it.',
    }),
  ),
});
export type ChartGroup = Static<typeof ChartGroup>;

const Series = Type.Object({
  label: Type.String(),
  group: Type.Optional(Type.Union([ChartGroup], { description: 'Of the split; absent when the series is a measure.' })),
  measure: Type.Integer({ description: 'Place of its measure in the chart.' }),
});

const MeasureWords = Type.Object({
  label: Type.String({ description: 'As the chart calls it; empty when it has no name of its own.' }),
  statistic: Type.String(),
  fieldName: Type.Optional(Type.String()),
  prefix: Type.Optional(Type.String()),
  suffix: Type.Optional(Type.String()),
  decimals: Type.Optional(Type.Integer()),
  isPercent: Type.Optional(Type.Boolean({ description: '0.5 is read as 50%.' })),
});
export type MeasureWords = Static<typeof MeasureWords>;

const counted = {
  measures: Type.Array(MeasureWords, {
    description: 'What the measures are called and how their values are written; of points the two axes.',
  }),
  groupedBy: Type.Array(Type.Object({ name: Type.String(), by: Type.Optional(Type.Enum([...dateUnits])) }), {
    description:
      'The fields that records are grouped by, in the order of the chart; of a heat map columns before rows.',
  }),
  tableId: Type.String(),
  viewId: Type.Optional(Type.String()),
  filter: filter,
  total: Type.Integer({ description: 'Records that the chart counts.' }),
  isCut: Type.Boolean({ description: 'There are more groups, points or records than it shows.' }),
};

const Grouped = Type.Object({
  kind: Type.Literal('groups', {
    description: 'Of bars, lines, areas, pies and heat maps (whose rows are the series).',
  }),
  ...counted,
  groups: Type.Array(ChartGroup),
  series: Type.Array(Series),
  values: Type.Array(Type.Array(Value), {
    description: 'By series, then by group. Null: no records, or nothing to measure.',
  }),
});

const Point = Type.Object({
  recordId: Type.String(),
  name: Type.String(),
  x: Type.Union([Type.Number(), Type.String()], { description: 'A number, or a time as ISO 8601.' }),
  y: Type.Union([Type.Number(), Type.String()]),
  size: Type.Optional(Value),
  series: Type.Integer({ description: 'Place in `series`.' }),
});

const Points = Type.Object({
  kind: Type.Literal('points'),
  ...counted,
  series: Type.Array(Series),
  points: Type.Array(Point),
});

const OneNumber = Type.Object({
  kind: Type.Literal('number'),
  ...counted,
  value: Value,
  trend: Type.Optional(
    Type.Object({
      groups: Type.Array(ChartGroup, { description: 'The periods, the present one last.' }),
      values: Type.Array(Value),
    }),
  ),
});

const Pivot = Type.Object({
  kind: Type.Literal('pivot'),
  ...counted,
  rows: Type.Array(Type.Array(ChartGroup), { description: 'A group for each of the groupings.' }),
  columns: Type.Array(Type.Array(ChartGroup), { description: 'One empty list without columns.' }),
  values: Type.Array(Type.Array(Type.Array(Value)), { description: 'By row, column, measure.' }),
  rowTotals: Type.Array(Type.Array(Value), { description: 'By row, measure.' }),
  columnTotals: Type.Array(Type.Array(Value), { description: 'By column, measure.' }),
  totals: Type.Array(Value, { description: 'By measure.' }),
});

const Listed = Type.Object({
  kind: Type.Literal('records'),
  ...counted,
  fields: Type.Array(Field),
  records: Type.Array(RecordVo, { description: 'By field id.' }),
});

export const Problem = Type.Object({
  path: Type.String({ description: 'Where in the chart, such as `group.fieldId`.' }),
  code: Type.Enum(['noTable', 'noView', 'noField', 'unfit', 'unreadable'], {
    description:
      'It is deleted or the reader does not see it; the field is of a type by now that this cannot be done with; or what is stored is no chart that is understood.',
  }),
  message: Type.String(),
});
export type Problem = Static<typeof Problem>;

const Broken = Type.Object({ kind: Type.Literal('broken'), problems: Type.Array(Problem) });
const Nothing = Type.Object({ kind: Type.Literal('text', { description: 'Nothing is computed.' }) });

export const ChartData = Type.Union([Grouped, Points, OneNumber, Pivot, Listed, Nothing, Broken]);
export type ChartData = Static<typeof ChartData>;
export type ChartDataOf<K extends ChartData['kind']> = Extract<ChartData, { kind: K }>;
