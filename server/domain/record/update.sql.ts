// Changes records: rows locked in id order, new values, operation and history in one statement. The form of
// the statement is the one that also runs on a Citus cluster (the old values come from a locking subquery in
// FROM, not from a CTE).
import { arrayLiteral } from '../../db/array.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import type { Column } from './cells.ts';
import { type Guard, holds } from './guard.sql.ts';
import { columnLiteral, hiddenArrays, type OrderColumn } from './insert.sql.ts';
import { insertOperation, type OperationFacts } from '../../catalog/operation.sql.ts';

export interface UpdatedRow {
  id: string;
  version: number;
  /** The record without its closing brace. */
  json: string;
}

export interface UpdateInput {
  ids: readonly string[];
  columns: readonly Column[];
  order: OrderColumn | null;
  /** Only when the (single) record still has this version. */
  version: number | null;
  /** Field id → row of `__field_version` that history entries point to. */
  metaIds: ReadonlyMap<string, number>;
  /** The record as SQL text; `u` is the changed row. */
  json: Sql;
}

interface Part {
  alias: string;
  values: string | readonly string[];
  type: string;
}

/** The parts of the statement that depend on which columns are written. */
const changedColumns = (input: UpdateInput): { parts: Part[]; sets: Sql[]; olds: Sql[] } => {
  const parts: Part[] = [{ alias: 'id', values: input.ids, type: 'text' }];
  const sets: Sql[] = [];
  const olds: Sql[] = [];
  input.columns.forEach((column, at) => {
    const name = columnOf(column.field);
    const value = `c${at}`;
    parts.push({ alias: value, values: columnLiteral(column), type: column.type.column as string });
    olds.push(sql`${name} as ${sql.raw(`__o${at}`)}`);
    if (column.given === undefined) sets.push(sql`${name} = i.${sql.raw(value)}`);
    else {
      const given = `g${at}`;
      parts.push({ alias: given, values: arrayLiteral(column.given), type: 'boolean' });
      sets.push(sql`${name} = case when i.${sql.raw(given)} then i.${sql.raw(value)} else p.${name} end`);
    }
  });
  if (input.order !== null) {
    parts.push({ alias: 'ord', values: arrayLiteral(input.order.positions), type: 'double precision' });
    sets.push(sql`${sql.id(input.order.name)} = i.ord`);
  }
  return { parts, sets, olds };
};

/** One entry per cell that really changed. `before` and `after` are JSON text, null when empty. */
const historyRows = (guard: Guard, { columns, metaIds }: UpdateInput): Sql => {
  const { table } = guard;
  const cells = columns.map(({ field }, at) => {
    const type = fieldTypeOf(field.type);
    const old = sql`upd.${sql.raw(`__o${at}`)}`;
    const now = columnOf(field, 'upd');
    return sql`(${metaIds.get(field.id)}::int, ${old} is distinct from ${now}, ${type.json(old, field)}, ${type.json(now, field)})`;
  });
  return sql`insert into ${sql.id(table.baseId, `__history_${table.id}`)} (op_id, seq, record_id, meta_id, before, after)
    select op.id, row_number() over (), upd.__id, cell.meta_id, cell.before, cell.after
    from op, upd, lateral (values ${sql.join(cells)}) as cell(meta_id, changed, before, after)
    where cell.changed`;
};

export const updateRows = (db: Queryable, guard: Guard, input: UpdateInput, operation: OperationFacts): Promise<UpdatedRow[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  const { parts, sets, olds } = changedColumns(input);
  const arrays = hiddenArrays(parts);
  const ids = sql`any((select ${input.ids}::text[])::text[])`;
  const aliases = sql.join(parts.map(({ alias }) => sql.raw(alias)));
  const oldNames = input.columns.map((_, at) => sql.raw(`o.__o${at}`));
  const wanted = input.ids.length;
  const atVersion = input.version === null ? sql.empty : sql`and __version = ${input.version}`;
  const history = input.columns.length === 0 ? sql.empty : sql`, his as (${historyRows(guard, input)})`;
  // A record that vanishes between the count and the lock must not leave half a request behind: dividing by
  // zero takes the whole statement back, and the caller looks again.
  return db.query<UpdatedRow>(
    sql`with upd as (
          update ${target} p
          set ${sql.join([...sets, sql`__last_modified_time = clock_timestamp()`, sql`__last_modified_by = ${operation.actor}`, sql`__version = p.__version + 1`])}
          from unnest(${arrays}) as i(${aliases}),
               (select __id as old_id${olds.length === 0 ? sql.empty : sql`, ${sql.join(olds)}`} from ${target} where __id = ${ids} ${atVersion} order by __id for update) o
          where p.__id = i.id and o.old_id = p.__id
            and ${holds(guard)}
            and (select count(*) from ${target} where __id = ${ids} ${atVersion}) = ${wanted}
          returning p.*${oldNames.length === 0 ? sql.empty : sql`, ${sql.join(oldNames)}`}
        ), op as (
          ${insertOperation(table, operation, sql`(select count(*)::int / (case when count(*) in (0, ${wanted}) then 1 else 0 end) from upd)`, sql`0`, sql`${input.ids}::text[]`)}
        )${history}
        select upd.__id as id, upd.__version as version, ${input.json} as json from upd`,
    { prepare: true },
  );
};
