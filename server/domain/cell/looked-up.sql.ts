// Cells of linked records, shown in the record that is linked to them: as they are (lookups), or as one value of all of them (rollups).
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { mostLookedUp, type RollupFunction } from '@rowhouse/contract/field.ts';
import { type FieldSchema, homeOf, type RelatedTable } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isoText } from './kind/date-format.sql.ts';
import { exactly } from './kind/number.sql.ts';
import { compileFilter, filterFieldIds, type Here } from './filter.sql.ts';
import { emptyCell } from './formula.sql.ts';
import { elsewhereIn, levelOf, readsElsewhere } from './level.sql.ts';
import { beyond, firstOf, isLink, linkCell, type Linked, linkedBy, linkedRows, recordsOf } from './linked.sql.ts';
import { bytesOf, mayBeLarge, mostCellBytes } from './size.sql.ts';
import { forStorage } from './type.ts';
import { cellTypeOf } from './registry.ts';
import { rollupFunction } from './type/rollup.ts';

/** What a field reads of the records that a link leads to, or that a filter finds. */
export interface ResolvedLookup {
  field: FieldSchema;
  own: RelatedTable;
  /** Undefined when there is no link. */
  linked: Linked | undefined;
  foreign: RelatedTable;
  /** A field of the other table. */
  source: FieldSchema;
  filter: FilterGroup | null;
  sort: { field: FieldSchema; order: 'asc' | 'desc' } | null;
  limit: number | null;
}

/** Where the cells of the linked record are, which is called `alias`, and what has to be joined to it for that. */
interface FarCells {
  alias: string;
  cell: (field: FieldSchema) => Sql;
  joined: () => Sql;
  /** The cells of the record itself, which a filter without a link may name. */
  host?: (field: FieldSchema) => Sql;
}

export const isLookedUp = ({ lookupOptions }: Pick<FieldSchema, 'lookupOptions'>): boolean => lookupOptions != null;

/** Its records are found by a filter alone. */
export const isConditional = ({ lookupOptions }: Pick<FieldSchema, 'lookupOptions'>): boolean =>
  lookupOptions != null && lookupOptions.linkFieldId === undefined;

/** Functions that say what order and how many they are of. */
const isOrdered = (field: FieldSchema): boolean =>
  field.isLookup === true ||
  ['array_join', 'array_unique', 'array_compact', 'concatenate'].includes(rollupFunction(field.options) ?? '');

/** Its cells hold all of what is read, one after the other. */
const isList = (field: FieldSchema): boolean =>
  isOrdered(field) && (field.isLookup !== true || field.computed?.isMultiple === true);

/** Undefined when something that it needs is gone. `own`: the table of the field. */
export const lookupOf = (field: FieldSchema, own = homeOf(field)): ResolvedLookup | undefined => {
  const { linkFieldId, foreignTableId, lookupFieldId, filter, sort, limit } = field.lookupOptions ?? {};
  const link = own?.byId.get(linkFieldId ?? '');
  const linked = link === undefined || !isLink(link) ? undefined : linkedBy(link, own);
  const foreign = linkFieldId === undefined ? own?.related.get(foreignTableId ?? '') : linked?.foreign;
  if (own === undefined || foreign === undefined) return undefined;
  const source =
    lookupFieldId === undefined && field.isLookup !== true ? foreign.primary : foreign.byId.get(lookupFieldId ?? '');
  if (source === undefined || source.computed?.state === 'broken') return undefined;
  const sorting = isOrdered(field) ? foreign.byId.get(sort?.fieldId ?? '') : undefined;
  const most = isOrdered(field) ? (limit ?? (linked === undefined ? mostLookedUp : null)) : null;
  return {
    field,
    own,
    linked,
    foreign,
    source,
    filter: (filter ?? null) as FilterGroup | null,
    sort: sorting === undefined ? null : { field: sorting, order: sort?.order ?? 'asc' },
    limit: most,
  };
};

/** Filters of stored cells name neither the caller nor a day that moves (lookup-field.ts). */
const nobody = { userId: '', now: new Date(0) };

/** Fields of the linked record, and of the record itself where there is no link. */
const beyondLink = ({ own, foreign }: ResolvedLookup, far: FarCells): Here => {
  const { cell, host } = far;
  const at = (table: RelatedTable, cellOf: (field: FieldSchema) => Sql) => (fieldId: string) => {
    const field = table.byId.get(fieldId);
    return field === undefined ? undefined : { field, cell: () => cellOf(field) };
  };
  return { of: at(foreign, cell), ...(host === undefined ? {} : { host: at(own, host) }) };
};

/** The fields of the other table whose cells it needs. */
const namedIn = ({ foreign, source, filter, sort }: ResolvedLookup): FieldSchema[] => {
  const conditions = filterFieldIds(filter).flatMap((id) => foreign.byId.get(id) ?? []);
  return [...new Set([source, ...(sort === null ? [] : [sort.field]), ...conditions])];
};

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

/** The records whose cells are read, and their order. */
const rowsOf = (
  { linked, foreign, sort }: ResolvedLookup,
  row: (column: string) => Sql,
  far: FarCells,
): { from: Sql; where: Sql; order: Sql } => {
  const rows =
    linked === undefined
      ? {
          from: sql`${recordsOf(foreign)} ${sql.id(far.alias)}`,
          where: sql`true`,
          order: sql.id(far.alias, '__auto_number'),
        }
      : linkedRows(linked, row, far.alias);
  if (sort === null) return rows;
  const key = cellTypeOf(sort.field).sortKey(far.cell(sort.field), sort.field).expression;
  return {
    ...rows,
    order: sql`${key} ${sort.order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`}, ${rows.order}`,
  };
};

/** The items of all cells that are read: a cell that is a list gives its own, an empty one gives nothing. */
const itemsOf = (lookup: ResolvedLookup, row: (column: string) => Sql, far: FarCells): Items => {
  const { source, filter, limit } = lookup;
  const cells = cellTypeOf(source);
  const rows = rowsOf(lookup, row, far);
  const condition = compileFilter(filter, beyondLink(lookup, far), nobody);
  const found = condition === null ? rows.where : sql`${rows.where} and ${condition}`;
  const plain = far.cell(source);
  const most = limit === null ? sql.empty : sql` order by place limit ${sql.integer(limit)}`;
  // The first so many: in their order they are told apart by their place.
  const first = sql`(select ${plain} as cell, row_number() over (order by ${rows.order}) as place from ${rows.from} ${far.joined()} where ${found}${most}) f`;
  const inBounds = sql`(select b.cell, b.place from (select c.cell, row_number() over w as place, sum(${bytesOf(source, sql`c.cell`)}) over w as bytes
    from ${rows.from} ${far.joined()} cross join lateral (select ${plain} as cell offset 0) c where ${found} window w as (order by ${rows.order} rows unbounded preceding)) b
    where coalesce(b.bytes, 0) <= ${sql.integer(mostCellBytes)}${most}) f`;
  const isBounded = isList(lookup.field) && mayBeLarge(source);
  const [cell, from, where, order] =
    limit === null && !isBounded
      ? [plain, sql`${rows.from} ${far.joined()}`, found, rows.order]
      : [sql`f.cell`, isBounded ? inBounds : first, sql`true`, sql`f.place`];
  if (cells.isMultiple) {
    const item = sql`it.item`;
    const text =
      cells.kind === 'person' || cells.kind === 'link' ? sql`(${item} ->> 'title')` : sql`(${item} #>> '{}')`;
    const value =
      cells.kind === 'number'
        ? sql`${text}::double precision`
        : cells.kind === 'date'
          ? sql`${text}::timestamptz`
          : cells.kind === 'boolean'
            ? sql`${text}::boolean`
            : text;
    return {
      from: sql`${from} left join lateral jsonb_array_elements(${cell}) with ordinality as it(item, at) on true`,
      where,
      order: sql`${order}, it.at`,
      isThere: sql`${item} is not null`,
      json: item,
      text,
      value,
    };
  }
  const text =
    cells.kind === 'date'
      ? isoText(cell)
      : cells.kind === 'number' || cells.kind === 'boolean'
        ? sql`(${cell})::text`
        : cells.text(cell, source);
  const value = cells.column === 'bigint' ? sql`(${cell})::double precision` : cell;
  return {
    from,
    where,
    order,
    isThere: sql`${cell} is not null`,
    json: sql`(${cells.json(cell, source, forStorage)})::jsonb`,
    text,
    value,
  };
};

/** The cell of a lookup; `isMultiple`: as a list, in the order of the link. */
const lookupCell = (lookup: ResolvedLookup, row: (column: string) => Sql, far: FarCells, isMultiple: boolean): Sql => {
  const { from, where, order, isThere, json } = itemsOf(lookup, row, far);
  if (isMultiple)
    return sql`(select jsonb_agg(${json} order by ${order}) filter (where ${isThere}) from ${from} where ${where})`;
  const first =
    lookup.linked === undefined || lookup.limit !== null
      ? sql` order by ${order} limit 1`
      : firstOf(lookup.linked, order);
  return sql`(select ${far.cell(lookup.source)} from ${from} where ${where}${first})`;
};

const double = (value: Sql): Sql =>
  sql`(select case when abs(n.v) < 1.7976931348623158e308 then n.v::double precision end from (select ${value} as v) n)`;

/** Of nothing it is empty; a single link whose cell is empty is nothing, too. */
const rollupCell = (lookup: ResolvedLookup, name: RollupFunction, row: (column: string) => Sql, far: FarCells): Sql => {
  const { from, where, order, isThere, json, text, value } = itemsOf(lookup, row, far);
  const { kind } = cellTypeOf(lookup.source);
  // People and records count by their names.
  const plain = kind === 'person' || kind === 'link' ? sql`to_jsonb(${text})` : json;
  const whole = (result: Sql, rows: Sql = sql`${from} where ${where}`): Sql => sql`(select ${result} from ${rows})`;
  // A count is of records, whatever their cells.
  const isOfRecords = lookup.linked === undefined || lookup.linked.isMultiple || lookup.field.type === 'count';
  const unless = (result: Sql): Sql =>
    whole(
      sql`case when ${isOfRecords ? sql`count(*)` : sql`count(*) filter (where ${isThere})`} > 0 then ${result} end`,
    );
  // Without a link there is nothing that could be missing: none is a number.
  const counted = (result: Sql): Sql => (lookup.linked === undefined ? whole(result) : unless(result));
  switch (name) {
    case 'countall':
      return counted(sql`count(*)::double precision`);
    case 'counta':
      return counted(sql`(count(*) filter (where ${isThere}))::double precision`);
    case 'count':
      return counted(
        kind === 'number' ? sql`(count(*) filter (where ${isThere}))::double precision` : sql`0::double precision`,
      );
    case 'sum':
      return double(counted(sql`coalesce(sum(${exactly(value)}), 0)`));
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
export const lookedUpCell = (lookup: ResolvedLookup, row: (column: string) => Sql, far: FarCells): Sql => {
  const { field } = lookup;
  if (field.isLookup === true) return lookupCell(lookup, row, far, field.computed?.isMultiple === true);
  return rollupCell(lookup, rollupFunction(field.options) ?? 'countall', row, far);
};

/** The cells of one whose column does not hold them: broken, read at the moment, or being filled. `columnOf` gives the cells of other fields. */
export const lookedUpExpression = (
  field: FieldSchema,
  alias: string | undefined,
  columnOf: (field: FieldSchema, alias?: string) => Sql,
): Sql => {
  if (field.computed?.state === 'broken') return emptyCell(field);
  // As what is written to.
  if (alias === undefined) return sql.id(field.dbFieldName);
  const row = (column: string): Sql => sql.id(alias, column);
  const found = sourcesOf(field);
  if (found === undefined) return emptyCell(field);
  const level = levelOf(found.way, alias, found.sources.filter(readsElsewhere), columnOf);
  const far: FarCells = {
    alias: beyond(alias),
    cell: (one) => level.cell(one) ?? columnOf(one, beyond(alias)),
    joined: () => level.joined,
    host: (one) => columnOf(one, alias),
  };
  return level.around(
    'title' in found.way
      ? linkCell(found.way, row, far.cell(found.way.title), far.joined(), far.alias)
      : lookedUpCell(found.way, row, far),
  );
};

/** Where the cells of a link, lookup, rollup or count come from, and the fields there that they need. Undefined when something of it is gone. */
const sourcesOf = (field: FieldSchema): { way: Linked | ResolvedLookup; sources: FieldSchema[] } | undefined => {
  const way = isLink(field) ? linkedBy(field) : lookupOf(field);
  return way === undefined ? undefined : { way, sources: 'title' in way ? [way.title] : namedIn(way) };
};

/** Its cells are read by expressions over expressions: see level.sql.ts. */
export const isNested = (field: FieldSchema): boolean =>
  elsewhereIn(field).some((one) => sourcesOf(one)?.sources.some(readsElsewhere) === true);
