// From the parameters of a request to conditions and sort keys: pure, and the same for lists and aggregations.
import { forbidden, type Issue, invalid, notFound } from '@rowhouse/contract/error.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import { readIn, seesView, type Sight } from '../../catalog/sight.ts';
import { zoneOf } from '../../catalog/usable-zone.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Sql } from '../../db/sql.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { fittingFilter } from '../field/stored-filter.ts';
import { demands } from './demand.ts';
import { all, among, filterable, filterSql, outside } from './filter.sql.ts';
import { groupLevel, type Level } from './group-key.sql.ts';
import { candidateSql, type LinkCell, selectedSql } from './link-cell.sql.ts';
import { type FieldKeyType, filterFields, findField, noSuchField, readJson } from './reference.ts';
import { readSearch, type Search, searchSql } from './search.sql.ts';
import { numberKey, positionKey, type SortKey, sortKey } from './sort-key.sql.ts';
import { type QueryField, readQuery } from './tql.ts';
import { type IndexWish, wishesOf } from './wish.ts';

export interface Asked {
  viewId?: string | undefined;
  ignoreViewQuery?: boolean | undefined;
  filter?: string | undefined;
  filterByTql?: string | undefined;
  search?: string | string[] | undefined;
  selectedRecordIds?: string[] | undefined;
  filterLinkCellCandidate?: LinkCell | undefined;
  filterLinkCellSelected?: LinkCell | undefined;
  fieldKeyType?: FieldKeyType | undefined;
  orderBy?: string | undefined;
  groupBy?: string | undefined;
  collapsedGroupIds?: string | string[] | undefined;
}

export interface ResolvedQuery {
  view: ViewSchema | undefined;
  keyType: FieldKeyType;
  /** Fields that are read through the view; all of them without one. */
  visible: readonly FieldSchema[];
  /** On the record row `r`; null for all records. */
  where: Sql | null;
  search: Search | null;
  levels: Level[];
  /** Fields that say which records there are, in which groups. */
  deciding: readonly FieldSchema[];
  /** The complete order: no two records have the same keys. */
  keys: SortKey[];
  collapsed: ReadonlySet<string>;
  /** Records are looked for by a part of a text: many have it or few, and PostgreSQL cannot tell. */
  isByText: boolean;
  /** Texts that a cell of every record found contains. */
  containing: readonly { field: FieldSchema; text: string }[];
  /** What it asks for beside the view, for which an index may be worth while. */
  wishes: readonly IndexWish[];
  /** Nothing in it comes from the request, so its statement is one of few. */
  isPlain: boolean;
}

// What Teable has and is not here: leaving it out silently would answer something else than was asked.
const unsupported = ['queryId'];

const orderIn = ({ columnMeta }: ViewSchema, { id }: FieldSchema): number =>
  (columnMeta[id]?.order as number | undefined) ?? Number.POSITIVE_INFINITY;

/** The columns of a view from left to right: the primary field first, then as the view has them. */
export const columnsOf = (view: ViewSchema | undefined, visible: readonly FieldSchema[]): readonly FieldSchema[] =>
  view === undefined
    ? visible
    : visible.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || orderIn(view, a) - orderIn(view, b));

const readAskedFilter = (text: string, sight: Sight, keyType: FieldKeyType): FilterGroup | null => {
  const { filter, issues } = readFilter(readJson(text, 'filter'), filterFields(sight, keyType), 'filter');
  if (issues.length > 0) throw invalid(issues);
  return filter;
};

const queryFields = (sight: Sight, keyType: FieldKeyType): ReadonlyMap<string, QueryField> =>
  new Map(
    [...filterFields(sight, keyType)].map(([name, field]) => [
      name,
      { ...field, timeZone: zoneOf(sight.byId.get(field.id) as FieldSchema) ?? 'UTC' },
    ]),
  );

interface Ordered {
  field: FieldSchema;
  order: 'asc' | 'desc';
}

const maxItems = 50;

const readOrder = (text: string, at: string, sight: Sight, keyType: FieldKeyType): Ordered[] => {
  const given = readJson(text, at);
  if (given === null) return [];
  if (!Array.isArray(given) || given.length > maxItems)
    throw invalid({
      path: at,
      message: `Expected a list of at most ${maxItems} items`,
      expected: '[{fieldId, order}]',
    });
  const issues: Issue[] = [];
  const items = given.flatMap((item: unknown, index): Ordered[] => {
    const { fieldId, order = 'asc' } = (typeof item === 'object' && item !== null ? item : {}) as {
      fieldId?: unknown;
      order?: unknown;
    };
    const field = typeof fieldId === 'string' ? findField(sight, keyType, fieldId) : undefined;
    if (field === undefined) issues.push(noSuchField(`${at}[${index}].fieldId`, fieldId));
    if (order !== 'asc' && order !== 'desc')
      issues.push({ path: `${at}[${index}].order`, message: 'Expected one of "asc", "desc"', expected: 'asc, desc' });
    return field === undefined || (order !== 'asc' && order !== 'desc') ? [] : [{ field, order }];
  });
  if (issues.length > 0) throw invalid(issues);
  return items;
};

const readIds = (given: string | string[] | undefined): ReadonlySet<string> => {
  if (given === undefined) return new Set();
  if (Array.isArray(given)) return new Set(given);
  const ids =
    given.trimStart().startsWith('[') || given === 'null' ? (readJson(given, 'collapsedGroupIds') ?? []) : [given];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw invalid({ path: 'collapsedGroupIds', message: 'Expected a list of group ids', expected: 'a list of texts' });
  return new Set(ids as string[]);
};

type Known = Pick<TableSchema, 'byId'>;

/** What a view sorts and groups by, of the fields that are known: a field that is not seen neither shows in headers nor in cursors. */
const ofView = (
  table: Known,
  items: readonly { fieldId: string; order: 'asc' | 'desc' }[] | undefined | null,
): Ordered[] =>
  (items ?? []).flatMap(({ fieldId, order }) => {
    const field = table.byId.get(fieldId);
    return field === undefined ? [] : [{ field, order }];
  });

const maxLevels = 3;

/** What the record row is called in statements. */
export const row = 'r';

const levelsOf = (items: readonly Ordered[], alias: string | undefined): Level[] => {
  const seen = new Set<string>();
  const different = items.filter(({ field }) => !seen.has(field.id) && seen.add(field.id));
  return different.slice(0, maxLevels).map(({ field, order }) => groupLevel(field, order, alias));
};

export const viewLevels = (table: Known, view: ViewSchema | undefined, alias: string | undefined): Level[] =>
  levelsOf(ofView(table, view?.group), alias);

/** Groups, then the sort that was asked for, then the one of the view, then the manual order, then autoNumber. */
const keysOf = (
  levels: readonly Level[],
  sorted: readonly Ordered[],
  view: ViewSchema | undefined,
  positionOf: (viewId: string) => Sql,
  alias: string | undefined,
): SortKey[] => {
  const keys = levels.flatMap((level) => level.keys);
  const seen = new Set<string>();
  for (const { field, order } of sorted) {
    if (seen.has(field.id)) continue;
    seen.add(field.id);
    keys.push(sortKey(field, order, alias));
    // Behind a key that no two records share, nothing else can matter.
    if (fieldTypeOf(field).isIdentity === true) return keys;
  }
  if (view?.hasOrder === true) keys.push(positionKey(view.id, positionOf(view.id)));
  return [...keys, numberKey(alias)];
};

const viewSort = (table: Known, view: ViewSchema | undefined): Ordered[] =>
  view?.sort?.manualSort === true ? [] : ofView(table, view?.sort?.sortObjs);

const looksForText = (filter: FilterGroup | null): boolean =>
  filter?.filterSet.some((item) => ('filterSet' in item ? looksForText(item) : item.operator === 'contains')) ?? false;

const containedIn = (filter: FilterGroup | null, { byId }: Known): { field: FieldSchema; text: string }[] =>
  demands(filter).flatMap(({ fieldId, operator, value }) => {
    const field = byId.get(fieldId);
    return operator === 'contains' &&
      typeof value === 'string' &&
      field !== undefined &&
      cellTypeOf(field).kind === 'text'
      ? [{ field, text: value }]
      : [];
  });

const aboutCells = ['filter', 'filterByTql', 'search', 'orderBy', 'groupBy'] as const;

/** Which records meet a condition tells what is in their cells: those who may not see them name records, or a view. */
const demandMayAsk = ({ seesCells, table }: Sight, asked: Asked): void => {
  const named = seesCells ? undefined : aboutCells.find((key) => asked[key] !== undefined);
  if (named !== undefined)
    throw forbidden(`This token lacks the scope record|read, needed for ${named} on ${table.id}`);
};

/**
 * `positionOf` gives the position of a record in the manual order of a view. What the request names has to be seen; the filter
 * of the view holds whatever it names, since it says which records the view shows.
 */
export const resolveQuery = (sight: Sight, asked: Asked, positionOf: (viewId: string) => Sql): ResolvedQuery => {
  demandMayAsk(sight, asked);
  const refused = unsupported.filter((key) => (asked as Record<string, unknown>)[key] !== undefined);
  if (refused.length > 0)
    throw invalid(refused.map((key) => ({ path: `query.${key}`, message: 'This parameter is not supported here' })));
  const { table, asker } = sight;
  const keyType = asked.fieldKeyType ?? 'name';
  const view = asked.viewId === undefined ? undefined : table.views.find(({ id }) => id === asked.viewId);
  if (asked.viewId !== undefined && (view === undefined || !seesView(sight, view.id)))
    throw notFound('View', asked.viewId);
  const applied = asked.ignoreViewQuery === true ? undefined : view;
  const visible = readIn(sight, view);

  const isPicking = asked.filterLinkCellCandidate !== undefined;
  if (isPicking && asked.filterLinkCellSelected !== undefined)
    throw invalid({
      path: 'query.filterLinkCellSelected',
      message: 'A record is either a candidate or selected',
      expected: 'filterLinkCellCandidate or filterLinkCellSelected',
    });
  const selected =
    asked.filterLinkCellSelected === undefined ? undefined : selectedSql(sight, asked.filterLinkCellSelected);
  const search = asked.search === undefined ? null : readSearch(asked.search, sight, keyType, visible);
  // Somebody who is bound by rules could tell a hidden cell by whether the view shows its record: what names one is left out.
  const known = filterable(sight);
  const ofView = fittingFilter(applied?.filter ?? null, known);
  const filters = [
    asked.filter === undefined ? null : readAskedFilter(asked.filter, sight, keyType),
    asked.filterByTql === undefined ? null : readQuery(asked.filterByTql, queryFields(sight, keyType)),
  ];
  const conditions = [
    filterSql(ofView, known, asker),
    ...filters.map((filter) => filterSql(filter, sight, asker)),
    search?.hides === true ? searchSql(search) : null,
    asked.selectedRecordIds === undefined
      ? null
      : isPicking
        ? outside(asked.selectedRecordIds)
        : among(asked.selectedRecordIds),
    asked.filterLinkCellCandidate === undefined ? null : candidateSql(sight, asked.filterLinkCellCandidate),
    selected?.where ?? null,
  ];
  const where = all(conditions);
  const inCell = selected?.key ?? null;
  const levels =
    asked.groupBy === undefined
      ? inCell === null
        ? viewLevels(sight, applied, row)
        : []
      : levelsOf(readOrder(asked.groupBy, 'groupBy', sight, keyType), row);
  const compared = [ofView, ...filters].flatMap((filter) => [
    ...filterFieldIds(filter),
    ...hostConditions(filter).map((condition) => hostFieldOf(condition) as string),
  ]);
  const sorted = [
    ...(asked.orderBy === undefined ? [] : readOrder(asked.orderBy, 'orderBy', sight, keyType)),
    ...viewSort(sight, applied),
  ];
  return {
    view,
    keyType,
    visible,
    where,
    search,
    levels,
    deciding: [
      ...compared.flatMap((id): FieldSchema[] => [table.byId.get(id) ?? []].flat()),
      ...levels.map(({ field }) => field),
      ...(search?.fields ?? []),
    ],
    // The order of a cell is what was asked for: neither a sort nor a view changes it.
    keys:
      inCell === null
        ? keysOf(levels, sorted, view, positionOf, row)
        : [...levels.flatMap((level) => level.keys), inCell, numberKey(row)],
    collapsed: readIds(asked.collapsedGroupIds),
    isByText: search?.hides === true || [ofView, ...filters].some(looksForText),
    containing: [ofView, ...filters].flatMap((filter) => containedIn(filter, sight)),
    wishes: wishesOf(
      asked.groupBy === undefined && asked.orderBy === undefined ? [] : levels,
      asked.groupBy === undefined && asked.orderBy === undefined ? [] : sorted,
      filters,
    ),
    isPlain:
      // Who is bound by rules shares them with others: what they ask of a record is a part of the statement, and who asks is a parameter.
      (sight.isWhole || sight.rule.key !== undefined) &&
      where === null &&
      search === null &&
      asked.orderBy === undefined &&
      asked.groupBy === undefined,
  };
};

/** The order in which a view shows its records. Without an alias: as an index is made on it. */
export const viewKeys = (
  table: Known,
  view: ViewSchema,
  positionOf: (viewId: string) => Sql,
  alias: string | undefined,
): SortKey[] => keysOf(viewLevels(table, view, alias), viewSort(table, view), view, positionOf, alias);
