// What a chart of a dashboard shows: of which records, in which groups, measured how. Fields, views and tables are named by their ids.
import { type Static, type TSchema, Type } from 'typebox';
import { Filter } from './filter.ts';
import { statistics } from './statistic.ts';
import { text } from './text.ts';

const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const strict = { additionalProperties: false };

/** Dates are grouped in the time zone of their field; weeks begin on Monday. */
export const dateUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type DateUnit = (typeof dateUnits)[number];

/** Groups that a chart has at most, and the same for series, rows and columns. */
export const mostGroups = {
  groups: 1_000,
  series: 100,
  rows: 1_000,
  columns: 200,
  points: 5_000,
  records: 200,
} as const;

const Grouping = Type.Object(
  {
    fieldId: id('field'),
    by: Type.Optional(
      Type.Enum([...dateUnits], { description: 'Of a date field: how wide its groups are; `month` when absent.' }),
    ),
    sort: Type.Optional(
      Type.Enum(['field', 'measure'], {
        description:
          '`field` (when absent): in the order of the field, choices as they stand; `measure`: by the first measure.',
      }),
    ),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`asc` when absent.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostGroups.groups, description: 'Only the first so many groups.' }),
    ),
    fill: flag('Also dates between the first and the last one, and choices, that no record has.'),
    omitEmpty: flag('Without the records whose cell is empty.'),
  },
  { ...strict, description: 'A record with several values in its cell counts in the group of each.' },
);
export type Grouping = Static<typeof Grouping>;

const Format = Type.Object(
  {
    prefix: Type.Optional(text({ maxLength: 20 })),
    suffix: Type.Optional(text({ maxLength: 20 })),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  },
  strict,
);

/** What is measured of the records of a group: those statistics that are numbers. */
const chartStatistics = statistics.filter((name) => name !== 'earliestDate' && name !== 'latestDate');

const Measure = Type.Object(
  {
    statistic: Type.Enum(chartStatistics, {
      description: '`count` counts records; the others are those of the field, as below the columns of a grid.',
    }),
    fieldId: Type.Optional(Type.String({ maxLength: 100, description: 'Id of the field. For all but `count`.' })),
    label: Type.Optional(text({ maxLength: 100 })),
    format: Type.Optional(Format),
  },
  strict,
);
export type Measure = Static<typeof Measure>;

/** How it is drawn: nothing that the server computes with. */
const Look = Type.Object(
  {
    legend: Type.Optional(Type.Enum(['none', 'top', 'bottom', 'left', 'right'])),
    labels: flag('The values stand beside bars, points and slices.'),
    horizontal: flag('Bars lie.'),
    percent: flag('Stacks are parts of 100.'),
    donut: flag('A pie with a hole.'),
    lineStyle: Type.Optional(Type.Enum(['normal', 'linear', 'step'])),
    color: Type.Optional(Type.String({ maxLength: 50 })),
    xTitle: Type.Optional(text({ maxLength: 100 })),
    yTitle: Type.Optional(text({ maxLength: 100 })),
    yMin: Type.Optional(Type.Number()),
    yMax: Type.Optional(Type.Number()),
    goal: Type.Optional(Type.Object({ value: Type.Number(), label: Type.Optional(text({ maxLength: 100 })) }, strict)),
    lowerIsBetter: flag('Of a number: falling is good.'),
  },
  strict,
);
export type Look = Static<typeof Look>;

const common = { description: Type.Optional(text({ maxLength: 1_000 })), look: Type.Optional(Look) };
const source = {
  ...common,
  tableId: id('table'),
  viewId: orNull(id('view')),
  filter: orNull(Filter),
};
const measures = Type.Array(Measure, { minItems: 1, maxItems: 10 });

/** `split`: a series for each of its groups; then there is one measure. */
const axes = { ...source, group: Grouping, measures, split: orNull(Grouping) };
const plotted = <T extends string>(type: T) => Type.Object({ type: Type.Literal(type), ...axes }, strict);

export const chartSchemas = {
  bar: plotted('bar'),
  stackedBar: plotted('stackedBar'),
  line: plotted('line'),
  area: plotted('area'),
  pie: Type.Object({ type: Type.Literal('pie'), ...source, group: Grouping, measure: Measure }, strict),
  scatter: Type.Object(
    {
      type: Type.Literal('scatter'),
      ...source,
      x: id('number or date field'),
      y: id('number or date field'),
      size: orNull(id('number field')),
      split: orNull(Grouping),
    },
    { ...strict, description: 'A point for each record.' },
  ),
  heatMap: Type.Object(
    { type: Type.Literal('heatMap'), ...source, rows: Grouping, columns: Grouping, measure: Measure },
    strict,
  ),
  number: Type.Object(
    {
      type: Type.Literal('number'),
      ...source,
      measure: Measure,
      trend: orNull(
        Type.Object(
          {
            fieldId: id('date field'),
            by: Type.Enum([...dateUnits]),
            periods: Type.Optional(Type.Integer({ minimum: 2, maximum: 100, description: '12 when absent.' })),
          },
          { ...strict, description: 'The measure in each of the last periods, up to now.' },
        ),
      ),
    },
    strict,
  ),
  pivot: Type.Object(
    {
      type: Type.Literal('pivot'),
      ...source,
      rows: Type.Array(Grouping, { minItems: 1, maxItems: 3 }),
      columns: Type.Optional(Type.Array(Grouping, { maxItems: 2 })),
      measures,
    },
    strict,
  ),
  records: Type.Object(
    {
      type: Type.Literal('records'),
      ...source,
      fieldIds: Type.Optional(
        Type.Array(id('field'), {
          maxItems: 50,
          description: 'In this order; those of the view, or all, when absent.',
        }),
      ),
      sort: Type.Optional(
        Type.Array(Type.Object({ fieldId: id('field'), order: Type.Enum(['asc', 'desc']) }, strict), { maxItems: 5 }),
      ),
      take: Type.Optional(Type.Integer({ minimum: 1, maximum: mostGroups.records, description: '50 when absent.' })),
    },
    strict,
  ),
  text: Type.Object(
    { type: Type.Literal('text'), ...common, text: text({ maxLength: 20_000, description: 'Markdown.' }) },
    strict,
  ),
} as const;

export type ChartType = keyof typeof chartSchemas;
export const chartTypes = Object.keys(chartSchemas) as ChartType[];
export type ChartOf<T extends ChartType> = Static<(typeof chartSchemas)[T]>;
export type Chart = { [T in ChartType]: ChartOf<T> }[ChartType];
export const Chart = Type.Unsafe<Chart>(Type.Union(Object.values(chartSchemas)));
export { Look };
