// Cells of linked records, shown in the record that is linked to them: as they are (lookups), or as one value of all of them (rollups).
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { type RollupFunction } from '@rowhouse/contract/field.ts';
import { type FieldSchema, homeOf } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isoText } from './kind/date-format.sql.ts';
import { exactly } from './kind/number.sql.ts';
import { emptyCell } from './formula.sql.ts';
import { isLink, type Linked, linkedBy, linkedRows } from './linked.sql.ts';
import { cellTypeOf } from './registry.ts';
import { rollupFunction } from './type/rollup.ts';

/** What a field reads of the records that a link leads to. */
export interface Reading {
  field: FieldSchema;
  linked: Linked;
  /** A field of the linked table. */
  source: FieldSchema;
  filter: FilterGroup | null;
}

/** Where the cells of the linked record `s` are, and what has to be joined to it for that. */
export interface FarCells {
  cell: (field: FieldSchema) => Sql;
  joined: () => Sql;
}

export const isLookedUp = ({ lookupOptions }: Pick<FieldSchema, 'lookupOptions'>): boolean => lookupOptions != null;

/** Undefined when something that it needs is gone. `own`: the table of the field. */
export const readingOf = (field: FieldSchema, own = homeOf(field)): Reading | undefined => {
  const { linkFieldId = '', lookupFieldId, filter } = field.lookupOptions ?? {};
  const link = own?.byId.get(linkFieldId);
  const linked = link === undefined || !isLink(link) ? undefined : linkedBy(link, own);
  if (linked === undefined) return undefined;
  const source = lookupFieldId === undefined && field.isLookup !== true ? linked.foreign.primary : linked.foreign.byId.get(lookupFieldId ?? '');
  if (source === undefined || source.computed?.state === 'broken') return undefined;
  return { field, linked, source, filter: (filter ?? null) as FilterGroup | null };
};

const nobody = { userId: '', now: new Date(0) };

const conditionOn = (item: Condition | FilterGroup, linked: Linked, far: FarCells): Sql | null => {
  if ('filterSet' in item) {
    const parts = item.filterSet.map((one) => conditionOn(one, linked, far)).filter((part) => part !== null);
    return parts.length === 0 ? null : sql`(${sql.join(parts, item.conjunction === 'and' ? ' and ' : ' or ')})`;
  }
  const field = linked.foreign.byId.get(item.fieldId);
  if (field === undefined) return null;
  const cell = far.cell(field);
  if (item.operator === 'isEmpty') return sql`${cell} is null`;
  if (item.operator === 'isNotEmpty') return sql`${cell} is not null`;
  return item.value === null ? null : cellTypeOf(field).condition(cell, item, field, nobody);
};

/** The fields that a filter names. */
export const filterFieldIds = (filter: FilterGroup | null): string[] => (filter === null ? [] : filter.filterSet.flatMap((item) => ('filterSet' in item ? filterFieldIds(item) : [item.fieldId])));

interface Items {
  from: Sql;
  where: Sql;
  order: Sql;
  isThere: Sql;
  json: Sql;
  text: Sql;
  /** Of the kind of the source. */
  value: Sql;
}

/** The items of all linked cells: a cell that is a list gives its own, an empty one gives nothing. */
const itemsOf = (reading: Reading, row: (column: string) => Sql, far: FarCells): Items => {
  const { linked, source, filter } = reading;
  const cells = cellTypeOf(source);
  const rows = linkedRows(linked, row);
  const cell = far.cell(source);
  const condition = filter === null ? null : conditionOn(filter, linked, far);
  const where = condition === null ? rows.where : sql`${rows.where} and ${condition}`;
  if (cells.isMultiple) {
    const item = sql`i.item`;
    const text = cells.kind === 'person' || cells.kind === 'link' ? sql`(${item} ->> 'title')` : sql`(${item} #>> '{}')`;
    const value = cells.kind === 'number' ? sql`${text}::double precision` : cells.kind === 'date' ? sql`${text}::timestamptz` : cells.kind === 'boolean' ? sql`${text}::boolean` : text;
    return { from: sql`${rows.from} ${far.joined()} left join lateral jsonb_array_elements(${cell}) with ordinality as i(item, at) on true`, where, order: sql`${rows.order}, i.at`, isThere: sql`${item} is not null`, json: item, text, value };
  }
  const text = cells.kind === 'date' ? isoText(cell) : cells.kind === 'number' || cells.kind === 'boolean' ? sql`(${cell})::text` : cells.text(cell, source);
  const value = cells.column === 'bigint' ? sql`(${cell})::double precision` : cell;
  return { from: sql`${rows.from} ${far.joined()}`, where, order: rows.order, isThere: sql`${cell} is not null`, json: sql`(${cells.json(cell, source)})::jsonb`, text, value };
};

/** The cell of a lookup; `isMultiple`: as a list, in the order of the link. */
const lookupCell = (reading: Reading, row: (column: string) => Sql, far: FarCells, isMultiple: boolean): Sql => {
  const { from, where, order, isThere, json } = itemsOf(reading, row, far);
  if (isMultiple) return sql`(select jsonb_agg(${json} order by ${order}) filter (where ${isThere}) from ${from} where ${where})`;
  return sql`(select ${far.cell(reading.source)} from ${from} where ${where} order by ${order} limit 1)`;
};

const double = (value: Sql): Sql => sql`(select case when abs(n.v) < 1.7976931348623158e308 then n.v::double precision end from (select ${value} as v) n)`;

/** Of nothing it is empty; a single link whose cell is empty is nothing, too. */
const rollupCell = (reading: Reading, name: RollupFunction, row: (column: string) => Sql, far: FarCells): Sql => {
  const { from, where, order, isThere, json, text, value } = itemsOf(reading, row, far);
  const { kind } = cellTypeOf(reading.source);
  // People and records count by their names.
  const plain = kind === 'person' || kind === 'link' ? sql`to_jsonb(${text})` : json;
  const whole = (result: Sql, rows: Sql = sql`${from} where ${where}`): Sql => sql`(select ${result} from ${rows})`;
  const unless = (result: Sql): Sql => whole(sql`case when ${reading.linked.isMultiple ? sql`count(*)` : sql`count(*) filter (where ${isThere})`} > 0 then ${result} end`);
  switch (name) {
    case 'countall':
      return unless(sql`count(*)::double precision`);
    case 'counta':
      return unless(sql`(count(*) filter (where ${isThere}))::double precision`);
    case 'count':
      return unless(kind === 'number' ? sql`(count(*) filter (where ${isThere}))::double precision` : sql`0::double precision`);
    case 'sum':
      return double(unless(sql`coalesce(sum(${exactly(value)}), 0)`));
    case 'average':
      return double(unless(sql`avg(${exactly(value)})`));
    case 'max':
    case 'min':
      return whole(sql`${sql.raw(name)}(${value})`);
    case 'and':
      return unless(sql`bool_and(coalesce(${value}, false))`);
    case 'or':
      return unless(sql`bool_or(coalesce(${value}, false))`);
    case 'xor':
      return unless(sql`(count(*) filter (where ${value})) % 2 = 1`);
    case 'array_join':
    case 'concatenate':
      return whole(sql`left(nullif(string_agg(${text}, ', ' order by ${order}), ''), 100000)`);
    case 'array_compact':
      return whole(sql`jsonb_agg(${plain} order by ${order}) filter (where ${isThere})`);
    case 'array_unique':
      return sql`(select jsonb_agg(f.item order by f.place) from (
        select x.item, min(x.place) as place from (select ${plain} as item, row_number() over (order by ${order}) as place from ${from} where ${where} and ${isThere}) x group by x.item) f)`;
  }
};

/** The cell of a lookup, rollup or count in the record whose columns `row` gives. */
export const lookedUpCell = (reading: Reading, row: (column: string) => Sql, far: FarCells): Sql => {
  const { field } = reading;
  if (field.isLookup === true) return lookupCell(reading, row, far, field.computed?.isMultiple === true);
  return rollupCell(reading, rollupFunction(field.options) ?? 'countall', row, far);
};

/** The cells of one whose column does not hold them: broken, or read at the moment. `columnOf` gives the cells of other fields. */
export const lookedUpExpression = (field: FieldSchema, alias: string | undefined, columnOf: (field: FieldSchema, alias?: string) => Sql): Sql => {
  const reading = field.computed?.state === 'atRead' ? readingOf(field) : undefined;
  if (reading === undefined || alias === undefined) return emptyCell(field);
  return lookedUpCell(reading, (column) => sql.id(alias, column), { cell: (one) => columnOf(one, 's'), joined: () => sql.empty });
};
