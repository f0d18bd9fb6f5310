// Questions to several tables of a base at once.
import { type Static, Type } from 'typebox';
import { statistics } from './statistic.ts';
import { endpoint } from './endpoint.ts';
import { Field } from './field.ts';
import { text } from './text.ts';

const column = {
  column: Type.String({ maxLength: 1_000, description: 'The id of a field, or a column of the query within' }),
  type: Type.Enum(['field', 'aggregation']),
};
const list = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Optional(Type.Array(item, { maxItems: 500 }));

/** One level of a query. `from` is the id of a table, or a query again; `where` is checked when its columns are known. */
export const BaseQueryLevel = Type.Object({
  from: Type.Unknown(),
  select: list(Type.Object({ ...column, alias: Type.Optional(text({ minLength: 1, maxLength: 60 })) })),
  where: Type.Optional(Type.Unknown()),
  join: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Enum(['INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN']),
        table: Type.String({ maxLength: 100 }),
        on: Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 2, maxItems: 2 }),
      }),
      { maxItems: 5 },
    ),
  ),
  groupBy: list(Type.Object(column)),
  aggregation: list(Type.Object({ ...column, statisticFunc: Type.Enum([...statistics]) })),
  orderBy: list(Type.Object({ ...column, order: Type.Enum(['asc', 'desc']) })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
});
export type BaseQueryLevel = Static<typeof BaseQueryLevel>;

export const queryBase = endpoint({
  name: 'queryBase',
  method: 'GET',
  path: '/base/:baseId/query',
  summary: 'Ask several tables at once',
  description:
    'JSON: `{"from": "tbl…", "select": [{"column": "fld…", "type": "field", "alias": "Name"}], "where": {"conjunction": "and", "filterSet": [{"column", "type", "operator", "value"}]}, "join": [{"type": "LEFT JOIN", "table": "tbl…", "on": ["fld…", "fld…"]}], "groupBy": [{"column", "type"}], "aggregation": [{"column", "type", "statisticFunc": "sum"}], "orderBy": [{"column", "type", "order"}], "limit", "offset"}`. `from` may be a query again, up to five deep. A token needs `record|read`, too. At most 1,000 rows.',
  tag: 'base',
  access: { on: 'base', action: 'base|query_data' },
  params: Type.Object({ baseId: Type.String() }),
  query: Type.Object({
    query: Type.String({ maxLength: 100_000 }),
    cellFormat: Type.Optional(
      Type.Enum(['json', 'text'], {
        description: '`text` (when absent) gives every cell but numbers as a person sees it',
      }),
    ),
  }),
  status: 200,
  response: Type.Object({
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'By field id, by alias, or `{fieldId}_{statistic}`; empty cells are left out',
    }),
    columns: Type.Array(
      Type.Object({ name: Type.String(), column: Type.String(), type: column.type, fieldSource: Type.Optional(Field) }),
    ),
  }),
});
