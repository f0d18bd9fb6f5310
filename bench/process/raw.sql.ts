// The statements of the limit: what a careful hand would send to PostgreSQL for the same work, without access
// checks, without a schema that may change, and for the fields of this table alone.
import type { BenchField } from '../cells.ts';

export interface RawTable {
  baseId: string;
  tableId: string;
  /** Name inside of the schema of the base. */
  dbTableName: string;
  fields: (BenchField & { dbFieldName: string })[];
}

export type RawKind =
  | 'create'
  | 'createOne'
  | 'update'
  | 'updateOne'
  | 'list'
  | 'listDeep'
  | 'history'
  | 'recordHistory';

/** How far down `listDeep` looks, and how many entries a page of history has. */
export const depth = 15_000;
export const entries = 20;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const placeOf = (table: RawTable, name: string): string => `${quoted(table.baseId)}.${quoted(name)}`;

const iso = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A column as JSON text; null when empty. */
const jsonOf = (expression: string, column: BenchField['column']): string => {
  if (column === 'text') return `to_json(${expression})::text`;
  if (column === 'timestamptz') return `'"' || ${iso(expression)} || '"'`;
  return `${expression}::text`;
};

/** $1 public id, $2 actor; `ids` as SQL. */
const operation = (table: RawTable, kind: string, delta: string, ids: string): string =>
  `insert into ${placeOf(table, '__operation')} (public_id, table_id, kind, actor, row_delta, record_ids)
   values ($1, '${table.tableId}', '${kind}', $2, ${delta}, ${ids}) returning id`;

const create = (
  table: RawTable,
  fields: RawTable['fields'],
  source: (columns: string[]) => string,
  delta: string,
  ids: string,
): string =>
  `with ins as (
     insert into ${placeOf(table, table.dbTableName)} (__id, ${fields.map((field) => quoted(field.dbFieldName)).join(', ')}, __created_by)
     ${source(fields.map((_, at) => `c${at}`))}
     returning __id, __auto_number, __created_time
   ), op as (${operation(table, 'create', delta, ids)})
   select __id, __auto_number, __created_time from ins`;

/** `i` in `source` are the new values, one row per record, with the columns id, c0, c1, … */
const update = (table: RawTable, fields: RawTable['fields'], source: string, ids: string): string => {
  const target = placeOf(table, table.dbTableName);
  const column = ({ dbFieldName }: { dbFieldName: string }): string => quoted(dbFieldName);
  const entries = fields.map(
    (field, at) =>
      `(${at + 1}, upd.o${at} is distinct from upd.${column(field)}, ${jsonOf(`upd.o${at}`, field.column)}, ${jsonOf(`upd.${column(field)}`, field.column)})`,
  );
  const answered = [
    '__id',
    '__auto_number',
    '__created_time',
    '__created_by',
    '__last_modified_time',
    '__version',
    ...table.fields.map(column),
  ];
  return `with upd as (
     update ${target} p
     set ${fields.map((field, at) => `${column(field)} = i.c${at}`).join(', ')}, __last_modified_time = clock_timestamp(), __last_modified_by = $2, __version = p.__version + 1
     from ${source},
          (select __id as old_id, ${fields.map((field, at) => `${column(field)} as o${at}`).join(', ')} from ${target} where __id = any(${ids}) order by __id for update) o
     where p.__id = i.id and o.old_id = p.__id
     returning p.*, ${fields.map((_, at) => `o.o${at}`).join(', ')}
   ), op as (${operation(table, 'update', '0', ids)}
   ), his as (
     insert into ${placeOf(table, `__history_${table.tableId}`)} (op_id, seq, record_id, meta_id, before, after)
     select op.id, row_number() over (), upd.__id, cell.meta_id, cell.before, cell.after
     from op, upd, lateral (values ${entries.join(', ')}) as cell(meta_id, changed, before, after)
     where cell.changed
   )
   select ${answered.join(', ')} from upd`;
};

/** A page as JSON text: twice as quick as columns that Node would have to parse and put together. */
export const page = (table: RawTable, order: string, where = 'true', offset = 0): string => {
  const cells = table.fields.map(
    (field) => `'${JSON.stringify(field.name)}:' || ${jsonOf(`r.${quoted(field.dbFieldName)}`, field.column)}`,
  );
  return `select string_agg('{"id":"' || r.__id || '","fields":{' || concat_ws(',', ${cells.join(', ')}) || '},"autoNumber":' || r.__auto_number
     || ',"createdTime":"' || ${iso('r.__created_time')} || '","createdBy":"' || r.__created_by || '"'
     || coalesce(',"lastModifiedTime":"' || ${iso('r.__last_modified_time')} || '"', '') || '}', ',' order by ${order})
   from (select * from ${placeOf(table, table.dbTableName)} where ${where} order by ${order} limit 100${offset === 0 ? '' : ` offset ${offset}`}) r`;
};

const list = (table: RawTable): string => page(table, '__auto_number');

/** $1 is the record. The entries first, with their limit, then what they are joined with. */
const history = (table: RawTable, where: string): string => {
  const of = placeOf(table, `__history_${table.tableId}`);
  return `select h.op_id, h.seq, h.record_id, h.before, h.after, ${iso('o.time')}, o.public_id, v.field_id, v.meta, u.id, u.name, u.email
     from (select * from ${of} where ${where} order by op_id desc, seq desc limit ${entries}) h
     join ${placeOf(table, '__operation')} o on o.id = h.op_id join ${placeOf(table, '__field_version')} v on v.id = h.meta_id join rowhouse.users u on u.id = o.actor
     order by h.op_id desc, h.seq desc`;
};

/** $1 public id, $2 actor, $3 id or ids, then the columns: arrays for several records, values for one. */
export const rawStatement = (kind: RawKind, table: RawTable, fields: RawTable['fields']): string => {
  const parameters = (suffix: string): string[] => fields.map((field, at) => `$${at + 4}::${field.column}${suffix}`);
  switch (kind) {
    case 'create':
      return create(
        table,
        fields,
        (columns) =>
          `select id, ${columns.join(', ')}, $2 from unnest($3::text[], ${parameters('[]').join(', ')}) as i(id, ${columns.join(', ')})`,
        'cardinality($3::text[])',
        '$3::text[]',
      );
    case 'createOne':
      return create(table, fields, () => `values ($3::text, ${parameters('').join(', ')}, $2)`, '1', 'array[$3::text]');
    case 'update':
      return update(
        table,
        fields,
        `unnest($3::text[], ${parameters('[]').join(', ')}) as i(id, ${fields.map((_, at) => `c${at}`).join(', ')})`,
        '$3::text[]',
      );
    case 'updateOne':
      return update(
        table,
        fields,
        `(values ($3::text, ${parameters('').join(', ')})) as i(id, ${fields.map((_, at) => `c${at}`).join(', ')})`,
        'array[$3::text]',
      );
    case 'listDeep':
      return page(table, '__auto_number', 'true', depth);
    case 'history':
      return history(table, 'op_id > 0');
    case 'recordHistory':
      return history(table, 'record_id = $1 and op_id > 0');
    default:
      return list(table);
  }
};
