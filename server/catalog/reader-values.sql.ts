// What the values of readers in conditions of rights are for some people: cells of their own records in other tables, the groups that they are in.
import type { ReaderValue } from '@rowhouse/contract/reader-value.ts';
import { many, type Queryable } from '../db/db.ts';
import { homesOf } from './role.sql.ts';
import { type Sql, sql } from '../db/sql.ts';

type Mine = Extract<ReaderValue, { type: 'mine' }>;
type Cell = string | number;

/** So many of one person: what comes behind them does not count. */
const most = 1_000;

interface Source {
  dbTableName: string;
  key: string;
  severalPeople: boolean;
  /** Null: the record itself. */
  cell: string | null;
}

/** The column as it is now. Undefined where the table or one of the fields is gone, or is no field that this can be read from. */
const selectSource = async (
  db: Queryable,
  baseId: string,
  { tableId, keyFieldId, fieldId }: Mine,
): Promise<Source | undefined> => {
  const [found] = await many<Source & { hasCell: boolean }>(
    db,
    sql`select t.db_table_name as "dbTableName", k.db_field_name as key, coalesce((k.options ->> 'isMultiple')::boolean, false) as "severalPeople",
          c.db_field_name as cell, c.id is not null as "hasCell"
        from rowhouse.tables t join rowhouse.fields k on k.table_id = t.id and k.id = ${keyFieldId} and k.type = 'user' and not k.is_lookup
          left join rowhouse.fields c on c.table_id = t.id and c.id = ${fieldId ?? ''} and not c.is_lookup and coalesce(c.computed ->> 'state', '') not in ('broken', 'atRead')
            and c.type in ('singleLineText', 'longText', 'number', 'singleSelect', 'multipleSelect', 'user', 'link')
        where t.id = ${tableId} and t.base_id = ${baseId} and t.deleted_time is null`,
  );
  return found === undefined || (fieldId !== undefined && !found.hasCell) ? undefined : found;
};

const cellsIn = (value: unknown): Cell[] => {
  if (Array.isArray(value)) return value.flatMap(cellsIn);
  if (typeof value === 'string' || typeof value === 'number') return [value];
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? [id] : [];
};

interface Row {
  userId: string;
  cells: unknown[];
}

const selectMine = async (db: Queryable, baseId: string, mine: Mine, userIds: readonly string[]): Promise<Row[]> => {
  const source = await selectSource(db, baseId, mine);
  if (source === undefined) return [];
  const key = sql.id('s', source.key);
  const named: Sql = source.severalPeople
    ? sql`${key} @> jsonb_build_array(jsonb_build_object('id', u.id))`
    : sql`${key} ->> 'id' = u.id`;
  const cell = source.cell === null ? sql`to_jsonb(s.__id)` : sql`to_jsonb(${sql.id('s', source.cell)})`;
  return many<Row>(
    db,
    sql`select u.id as "userId", own.cells from unnest(${userIds}::text[]) u(id),
          lateral (select coalesce(json_agg(f.cell), '[]') as cells from (select ${cell} as cell from ${sql.id(baseId, source.dbTableName)} s where ${named} order by s.__auto_number limit ${most}) f) own`,
  );
};

const selectGroups = (
  db: Queryable,
  baseId: string,
  of: 'people' | 'names',
  userIds: readonly string[],
): Promise<Row[]> => {
  const groups = sql`rowhouse.group_members m join rowhouse.groups g on g.id = m.group_id
    join rowhouse.bases b on b.id = ${baseId} and g.home_id in ${homesOf(sql`b.space_id`)}`;
  const found =
    of === 'names'
      ? sql`select distinct g.name as cell from ${groups} where m.user_id = u.id`
      : sql`select distinct o.user_id as cell from ${groups} join rowhouse.group_members o on o.group_id = g.id where m.user_id = u.id`;
  return many<Row>(
    db,
    sql`select u.id as "userId", own.cells from unnest(${userIds}::text[]) u(id),
          lateral (select coalesce(json_agg(f.cell), '[]') as cells from (${found} order by 1 limit ${most}) f) own`,
  );
};

/** By person: the cells of each value, in the order of the values. */
export const selectReaderValues = async (
  db: Queryable,
  baseId: string,
  values: readonly ReaderValue[],
  userIds: readonly string[],
): Promise<Map<string, Cell[][]>> => {
  const found = new Map<string, Cell[][]>(userIds.map((id) => [id, values.map(() => [])]));
  for (const [at, value] of values.entries()) {
    const rows =
      value.type === 'mine'
        ? await selectMine(db, baseId, value, userIds)
        : await selectGroups(db, baseId, value.of ?? 'people', userIds);
    for (const { userId, cells } of rows) {
      const own = found.get(userId);
      if (own !== undefined) own[at] = [...new Set(cellsIn(cells))].slice(0, most);
    }
  }
  return found;
};
