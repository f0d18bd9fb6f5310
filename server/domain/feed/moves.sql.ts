// Which records an operation brought into what somebody sees, and which it took out of it. Their condition is asked of the record as it is, and of the record as it was
// before the operation: with the cells that the history has for it. That is exact where the condition looks at nothing but cells that people write.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { keptRow } from '../record/write/deleted-record.sql.ts';
import { conditionSql, fieldsIn } from '../query/condition.sql.ts';

export interface Moves {
  entered: string[];
  left: string[];
  stayed: string[];
}

/** Number, maker and time of making never change, and are columns of the record itself. */
const isConstant = (field: FieldSchema): boolean => {
  const { systemColumn } = fieldTypeOf(field);
  return systemColumn !== undefined && !systemColumn.startsWith('__last_modified') && !isLookedUp(field);
};

const isWritten = (field: FieldSchema): boolean =>
  !isLink(field) &&
  !isLookedUp(field) &&
  fieldTypeOf(field).isComputed !== true &&
  fieldTypeOf(field).isOnlyKept !== true &&
  ownColumnOf(field) !== null;

/** The written fields that decide which records are seen. Undefined: something else decides, such as links, or nothing does. */
export const writtenDeciders = ({ rows, table, rule }: Sight): FieldSchema[] | undefined => {
  // Visitors of a share are told of no record that leaves it: they read again.
  if (typeof rows === 'boolean' || rule.key === undefined || JSON.stringify(rows).includes('"type":"field"'))
    return undefined;
  const fields = [...new Set(fieldsIn(rows))].map((id) => table.byId.get(id));
  if (!fields.every((field) => field !== undefined && (isWritten(field) || isConstant(field)))) return undefined;
  return (fields as FieldSchema[]).filter(isWritten);
};

const seenIn = ({ rows, table, asker }: Sight, alias: string): Sql =>
  sql`coalesce((${conditionSql(rows, table, asker, alias)}), false)`;

const history = ({ table: { baseId, id } }: Sight): Sql => sql.id(baseId, `__history_${id}`);

/**
 * Of operations that wrote or deleted records. One is missing where nobody can tell: a field was converted since, or a deleted record is not kept any more. A record that
 * was deleted since is judged as it was kept.
 */
export const selectMoves = async (
  db: Queryable,
  sight: Sight,
  deciders: readonly FieldSchema[],
  recordIds: ReadonlyMap<number, readonly string[]>,
): Promise<Map<number, Moves>> => {
  const { table } = sight;
  const pairs = [...recordIds].flatMap(([opId, ids]) => ids.map((id) => ({ opId, id })));
  const moves = new Map(
    [...recordIds.keys()].map((opId): [number, Moves] => [opId, { entered: [], left: [], stayed: [] }]),
  );
  if (pairs.length === 0) return moves;
  const rowsOfTable = sql.id(table.baseId, table.dbTableName);
  const rows = await many<{ opId: number; id: string; now: boolean; before: boolean | null }>(
    db,
    sql`with asked as materialized (
          select a.op, a.id from unnest(${pairs.map(({ opId }) => opId)}::bigint[], ${pairs.map(({ id }) => id)}::text[]) a(op, id)
        ), old as (
          select e.op, e.id, jsonb_object_agg(e.name, e.cell) as cells, bool_or(e.is_other) as is_unknown from (
            select distinct on (a.op, a.id, d.field_id) a.op, a.id, d.name, h.before_meta_id is not null as is_other,
                   case when h.before_meta_id is null then h.before::jsonb end as cell
            from asked a join ${history(sight)} h on h.record_id = a.id and h.op_id >= a.op
            join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id
            join unnest(${deciders.map(({ id }) => id)}::text[], ${deciders.map(({ dbFieldName }) => dbFieldName)}::text[]) d(field_id, name) on d.field_id = v.field_id
            order by a.op, a.id, d.field_id, h.op_id, h.seq
          ) e group by e.op, e.id
        )
        select a.op as "opId", a.id, r.__id is not null and ${seenIn(sight, 'r')} as now,
               case when old.is_unknown is true or (r.__id is null and gone.cells is null) then null else ${seenIn(sight, 'w')} end as before
        from asked a left join ${rowsOfTable} r on r.__id = a.id
        left join old on old.op = a.op and old.id = a.id
        left join lateral (
          select ${keptRow(deciders)} as cells from (
            select h.record_id, h.before::jsonb as kept from ${history(sight)} h
            where r.__id is null and h.record_id = a.id and h.op_id < 0 order by h.op_id limit 1 offset 0
          ) k
        ) gone on true
        cross join lateral jsonb_populate_record(r, coalesce(gone.cells, '{}'::jsonb) || coalesce(old.cells, '{}'::jsonb)) w`,
    { base: table.baseId },
  );
  const unknown = new Set<number>();
  for (const { opId, id, now, before } of rows) {
    const of = moves.get(opId);
    if (before === null) unknown.add(opId);
    else if (now && before) of?.stayed.push(id);
    else if (now) of?.entered.push(id);
    else if (before) of?.left.push(id);
  }
  for (const opId of unknown) moves.delete(opId);
  return moves;
};
