// Creates records: quota, rows and operation in one statement. Nothing is written when the guard does not hold, or
// when the slot of the quota has no room left.
import { arrayLiteral, jsonArrayLiteral } from '../../db/array.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import type { Column } from './cells.ts';
import { takeRows } from '../plan/quota.sql.ts';
import { type CountedGuard, holds } from './guard.sql.ts';
import { fieldsJson, isoText } from './json.sql.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import { insertOperation, type OperationFacts } from '../../catalog/operation.sql.ts';

export interface InsertedRow {
  id: string;
  autoNumber: number;
  createdTime: string;
  /** The primary cell as text, when only PostgreSQL can tell. */
  name: string | null;
  /** `{"ID":1}`: the cells of computed fields, when the table has any. */
  computed: string | null;
}

/** The cells of a column as one array parameter. */
export const columnLiteral = ({ type, values }: Column): string => (type.column === 'jsonb' ? jsonArrayLiteral(values) : arrayLiteral(values as string[]));

/**
 * Array parameters for `unnest`. Behind a subselect the planner does not see how long they are: seeing it, it finds a
 * plan made for this length a little cheaper than the general one, every time, and plans every request anew.
 */
export const hiddenArrays = (inputs: readonly { values: unknown; type: string }[]): Sql =>
  sql.join(inputs.map(({ values, type }) => sql`(select ${values}::${sql.raw(type)}[])`));

export interface OrderColumn {
  name: string;
  /** One position per record, in request order. */
  positions: readonly number[];
}

export const insertRows = (
  db: Queryable,
  guard: CountedGuard,
  input: { ids: readonly string[]; columns: readonly Column[]; keyType: FieldKeyType; order: OrderColumn | null },
  operation: OperationFacts,
): Promise<InsertedRow[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  // The ids stand in two places: an array is sent once, a text would be sent twice.
  const inputs: { name: Sql; values: string | readonly string[]; type: string }[] = [
    { name: sql`__id`, values: input.ids, type: 'text' },
    ...input.columns.map((column) => ({ name: columnOf(column.field), values: columnLiteral(column), type: column.type.column as string })),
    ...(input.order === null ? [] : [{ name: sql.id(input.order.name), values: arrayLiteral(input.order.positions), type: 'double precision' }]),
  ];
  const names = sql.join(inputs.map(({ name }) => name));
  const arrays = hiddenArrays(inputs);
  const aliases = sql.join(inputs.map((_, at) => sql.raw(`c${at}`)));
  const computed = table.fields.filter((field) => fieldTypeOf(field.type).isComputed);
  const primary = fieldTypeOf(table.primary.type);
  const needsName = !['singleLineText', 'longText', 'singleSelect'].includes(table.primary.type);
  return db.query<InsertedRow>(
    sql`with quota as (
          ${takeRows(guard.spaceId, input.ids.length, holds(guard))}
        ), ins as (
          insert into ${target} as r (${names}, __created_by)
          select ${aliases}, ${operation.actor}
          from unnest(${arrays}) as i(${aliases})
          where exists (select from quota)
          returning r.*
        ), op as (
          ${insertOperation(table, operation, sql`(select count(*)::int from ins)`, sql`(select count(*)::int from ins)`, sql`${input.ids}::text[]`)}
        )
        select __id as id, __auto_number as "autoNumber", ${isoText(sql`__created_time`)} as "createdTime",
               ${needsName ? primary.text(columnOf(table.primary, 'ins'), table.primary) : sql`null`} as name,
               ${computed.length === 0 ? sql`null` : fieldsJson(computed, 'ins', input.keyType, 'json')} as computed
        from ins`,
    { prepare: true },
  );
};
