// Counts and statistics over the records that a query finds.
import { type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { type CellValueType, kindOf } from './field.ts';
import { arranging, finding, grouping } from './query.ts';
import { GroupPoint, RecordVo } from './record.ts';
import { statistics } from './statistic.ts';

export type Statistic = (typeof statistics)[number];

const counting: readonly Statistic[] = ['count', 'empty', 'filled'];
const shares: readonly Statistic[] = ['percentEmpty', 'percentFilled'];
const distinct: readonly Statistic[] = ['unique', 'percentUnique'];

/** The statistics that make sense for a field. */
export const validStatistics = (field: {
  type: string;
  cellValueType: CellValueType;
  isMultiple: boolean;
}): readonly Statistic[] => {
  switch (kindOf(field)) {
    case 'person':
      return field.isMultiple ? [...counting, ...shares] : [...counting, ...shares, ...distinct];
    case 'link':
    case 'button':
      return [...counting, ...shares];
    case 'text':
    case 'choice':
      return [...counting, ...shares, ...distinct];
    case 'number':
      return ['sum', 'average', 'min', 'max', ...counting, ...shares, ...distinct];
    case 'boolean':
      return ['count', 'checked', 'unChecked', 'percentChecked', 'percentUnChecked'];
    case 'date':
      return [
        ...counting,
        ...shares,
        ...distinct,
        'earliestDate',
        'latestDate',
        'dateRangeOfDays',
        'dateRangeOfMonths',
      ];
    case 'file':
      return [...counting, ...shares, 'totalAttachmentSize'];
  }
};

// Counts and statistics show what stands in cells, also by what a filter finds.
const access = { on: 'table', action: 'record|read' } as const;
const params = Type.Object({ tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }) });
const tag = 'aggregation';

/** `field[sum][]=fld…`: one parameter per statistic. */
const statisticParameters = Object.fromEntries(
  statistics.map((name) => [
    `field[${name}]`,
    Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), { maxItems: 500, description: `Fields to answer \`${name}\` for` }),
    ),
  ]),
) as Record<string, TSchema>;

const Value = Type.Object({
  value: Type.Union([Type.String(), Type.Number(), Type.Null()], {
    description: 'Dates as ISO text, the rest as numbers; null when there is nothing to tell',
  }),
  aggFunc: Type.Enum([...statistics]),
});

export const getAggregation = endpoint({
  name: 'getAggregation',
  method: 'GET',
  path: '/table/:tableId/aggregation',
  summary: 'Statistics over the records found',
  description:
    'Without `field` the statistics that the columns of the view show are answered. With groups there is also a value per group, by group id.',
  tag,
  access,
  params,
  query: Type.Object({ ...finding, ...grouping, ...statisticParameters }),
  status: 200,
  response: Type.Object({
    aggregations: Type.Array(
      Type.Object({
        fieldId: Type.String(),
        total: Type.Union([Value, Type.Null()]),
        group: Type.Optional(Type.Record(Type.String(), Value, { description: 'By the id of the group point' })),
      }),
    ),
  }),
});

export const getRowCount = endpoint({
  name: 'getRowCount',
  method: 'GET',
  path: '/table/:tableId/aggregation/row-count',
  summary: 'How many records there are',
  tag,
  access,
  params,
  query: Type.Object(finding),
  status: 200,
  response: Type.Object({ rowCount: Type.Integer() }),
});

export const getGroupPoints = endpoint({
  name: 'getGroupPoints',
  method: 'GET',
  path: '/table/:tableId/aggregation/group-points',
  summary: 'The groups of the records found, with their sizes',
  description:
    'Headers depth first, behind each innermost one the number of its records. At most 5,000 innermost groups; the rest is one group called Unknown.',
  tag,
  access,
  params,
  query: Type.Object({ ...finding, groupBy: arranging.groupBy, collapsedGroupIds: arranging.collapsedGroupIds }),
  status: 200,
  response: Type.Array(GroupPoint),
});

export const getSearchCount = endpoint({
  name: 'getSearchCount',
  method: 'GET',
  path: '/table/:tableId/aggregation/search-count',
  summary: 'In how many cells the search finds something',
  tag,
  access,
  params,
  query: Type.Object(finding),
  status: 200,
  response: Type.Object({ count: Type.Integer() }),
});

export const getSearchIndex = endpoint({
  name: 'getSearchIndex',
  method: 'GET',
  path: '/table/:tableId/aggregation/search-index',
  summary: 'Where the cells are that the search finds',
  description:
    'In the order of the records, and within one in the order of the fields. `index` is the place of the record in the list, from 1 on.',
  tag,
  access,
  params,
  query: Type.Object({
    ...finding,
    orderBy: arranging.orderBy,
    groupBy: arranging.groupBy,
    take: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many cells; 100 when absent' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    projection: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), { maxItems: 2_000, description: 'Search only these fields' }),
    ),
  }),
  status: 200,
  response: Type.Union(
    [Type.Array(Type.Object({ index: Type.Integer(), fieldId: Type.String(), recordId: Type.String() })), Type.Null()],
    {
      description: 'null when nothing is found',
    },
  ),
});

export const getRecordIndex = endpoint({
  name: 'getRecordIndex',
  method: 'GET',
  path: '/table/:tableId/aggregation/record-index',
  summary: 'At which place a record stands in the list',
  description: 'From 0 on, in the order of the view, or of `orderBy` and `groupBy`; null when the record is not in it.',
  tag,
  access,
  params,
  query: Type.Object({
    ...finding,
    orderBy: arranging.orderBy,
    groupBy: arranging.groupBy,
    recordId: Type.String({ maxLength: 100, description: 'Id of the record' }),
  }),
  status: 200,
  response: Type.Union([Type.Object({ index: Type.Integer() }), Type.Null()]),
});

export const getCalendarDays = endpoint({
  name: 'getCalendarDays',
  method: 'GET',
  path: '/table/:tableId/aggregation/calendar-daily-collection',
  summary: 'How many records each day of a calendar has, and the records',
  description:
    'A record stands on every day from its start to its end, in the time zone of the start field. At most 400 days, and 1,000 records at a time; all are counted, and `total` says how many there are.',
  tag,
  access,
  params,
  query: Type.Object({
    ...finding,
    startDate: Type.String({ maxLength: 50, description: 'The first day that is shown' }),
    endDate: Type.String({ maxLength: 50, description: 'The last one' }),
    startDateFieldId: Type.String({ maxLength: 100, description: 'A date field' }),
    endDateFieldId: Type.String({ maxLength: 100, description: 'A date field; the same for records of one day' }),
    take: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many records; 1,000 when absent' }),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  }),
  status: 200,
  response: Type.Object({
    countMap: Type.Record(Type.String(), Type.Integer(), {
      description: 'By day, as 2024-01-31; days without records are left out',
    }),
    records: Type.Array(RecordVo, { description: 'By field id' }),
    total: Type.Integer({ description: 'How many records stand on the days, shown or not' }),
  }),
});
