// Lookups, rollups and counts as fields: what a request for one means, and what becomes of it when what it shows changes.
import { rollupResult } from '@rowhouse/contract/rollup.ts';
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '@rowhouse/contract/error.ts';
import { kindOf, type LookupOptions, type NewField } from '@rowhouse/contract/field.ts';
import { type Condition, type FilterField, type FilterGroup, isMe, readFilter } from '@rowhouse/contract/filter.ts';
import type { ComputedState, FieldSchema, RelatedTable, TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { isLink, linkedBy, type Linked } from '../cell/linked.sql.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { isLookedUp, type ResolvedLookup, lookupOf } from '../cell/looked-up.sql.ts';
import { conditionalRollup, count, rollup, rollupFunction } from '../cell/type/rollup.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { singleLineText } from '../cell/type/text.ts';
import type { Services } from '../../context.ts';
import { demandConstraints, draftField } from './draft-field.ts';
import { demandForeign } from './link-field.ts';
import { filterFieldOf } from './field-vo.ts';
import { completeFormulaOptions, fitFormulaOptions } from './fit-formula-options.ts';

type Options = Record<string, unknown>;

/** A request for a field that shows cells of linked records. */
export const asksToLookUp = ({
  type,
  isLookup,
  lookupOptions,
}: {
  type: string;
  isLookup?: boolean | undefined;
  lookupOptions?: unknown;
}): boolean =>
  isLookup === true ||
  lookupOptions != null ||
  type === rollup.type ||
  type === count.type ||
  type === conditionalRollup.type;

type Asked = Pick<NewField, 'type' | 'isLookup' | 'isConditionalLookup' | 'lookupOptions' | 'options'>;

/** Without a link. */
export const asksByFilter = ({ type, isLookup, isConditionalLookup }: Asked): boolean =>
  isConditionalLookup === true || (type === conditionalRollup.type && isLookup !== true);

/** A rollup without a link has among its options what others have beside them. */
export const withLookupOptions = <T extends Asked>(given: T): T => {
  if (given.type !== conditionalRollup.type || given.isLookup === true || given.options === undefined) return given;
  const { baseId, foreignTableId, lookupFieldId, filter, sort, limit, ...options } = given.options;
  if (foreignTableId === undefined) return given;
  const lookupOptions = { baseId, foreignTableId, lookupFieldId, filter, sort, limit };
  return {
    ...given,
    options,
    lookupOptions: Object.fromEntries(Object.entries(lookupOptions).filter(([, value]) => value !== undefined)),
  };
};

/** The table that a request without a link names, which nothing may join to this one yet; and the own one as if it were. */
export const reachedBy = async (db: Queryable, table: TableSchema, given: Asked): Promise<RelatedTable> => {
  const own = table.related.get(table.id) as RelatedTable;
  if (!asksByFilter(given)) return own;
  const { foreignTableId, baseId } = (given.lookupOptions ?? {}) as { foreignTableId?: unknown; baseId?: unknown };
  if (typeof foreignTableId !== 'string')
    throw refuse('foreignTableId', 'A lookup without a link needs a table', 'the id of a table of this base');
  if (table.related.has(foreignTableId)) return own;
  const foreign = await demandForeign(db, table.baseId, { foreignTableId, baseId }, 'lookupOptions');
  const related = new Map<string, RelatedTable>([...foreign.related, ...table.related]);
  return { ...own, related };
};

/** What two cells have to be alike in to be compared; null for lists and files. */
const comparedAs = (field: FieldSchema): string | null => {
  const { kind, isMultiple } = cellTypeOf(field);
  return isMultiple || kind === 'file' || fieldTypeOf(field).isOnlyKept === true
    ? null
    : kind === 'choice'
      ? 'text'
      : kind;
};

const hostOperators: Record<string, readonly string[]> = {
  number: ['is', 'isNot', 'isGreater', 'isGreaterEqual', 'isLess', 'isLessEqual'],
  date: ['is', 'isNot', 'isBefore', 'isAfter', 'isOnOrBefore', 'isOnOrAfter'],
};

const hostFault = (
  own: RelatedTable,
  foreign: RelatedTable,
  { fieldId, operator, value }: Condition,
): string | undefined => {
  const [field, host] = [foreign.byId.get(fieldId), own.byId.get(hostFieldOf({ value }) ?? '')];
  if (field === undefined) return `"${foreign.name}" has no field ${fieldId.slice(0, 50)}`;
  if (host === undefined) return `"${own.name}" has no field ${String(hostFieldOf({ value })).slice(0, 50)}`;
  const kind = comparedAs(field);
  if (kind === null || kind !== comparedAs(host)) return `"${field.name}" and "${host.name}" cannot be compared`;
  return (hostOperators[kind] ?? ['is', 'isNot']).includes(operator)
    ? undefined
    : `Cells of "${field.name}" are not compared by ${operator}`;
};

const refuse = (path: string, message: string, expected: string): Error =>
  invalid({ path: `lookupOptions.${path}`, message, expected });

const isFixed = (value: unknown, field: FilterField | undefined): boolean => {
  if (field !== undefined && kindOf(field) === 'person' && [value].flat().some(isMe)) return false;
  return (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    ['exactDate', 'exactFormatDate'].includes(String((value as { mode?: unknown }).mode))
  );
};

/** What is stored cannot depend on who looks, or when. */
const demandFixed = (filter: unknown, fields: ReadonlyMap<string, FilterField>): void => {
  const walk = (item: { filterSet?: unknown[]; fieldId?: string; value?: unknown }): boolean =>
    item.filterSet === undefined
      ? isFixed(item.value, fields.get(item.fieldId ?? ''))
      : item.filterSet.every((one) => walk(one as typeof item));
  if (!walk(filter as { filterSet: unknown[] }))
    throw refuse(
      'filter',
      'A filter of linked records can name neither the caller nor a day that moves',
      'fixed values',
    );
};

/** A filter in which cells of the own record stand is read as if they were empty, and gets them back. */
const withoutHosts = (item: unknown, hosts: unknown[]): unknown => {
  if (typeof item !== 'object' || item === null) return item;
  const { filterSet, value } = item as { filterSet?: unknown; value?: unknown };
  if (Array.isArray(filterSet)) return { ...item, filterSet: filterSet.map((one) => withoutHosts(one, hosts)) };
  hosts.push(hostFieldOf({ value }) === undefined ? undefined : { type: 'field', fieldId: hostFieldOf({ value }) });
  return hosts.at(-1) === undefined ? item : { ...item, value: null };
};

const withHosts = (item: Condition | FilterGroup, hosts: unknown[]): Condition | FilterGroup => {
  if ('filterSet' in item) return { ...item, filterSet: item.filterSet.map((one) => withHosts(one, hosts)) };
  const host = hosts.shift();
  return host === undefined ? item : { ...item, value: host as Condition['value'] };
};

const demandFilter = (own: RelatedTable, foreign: RelatedTable, filter: unknown, isConditional: boolean): unknown => {
  if (filter == null) return undefined;
  const hosts: unknown[] = [];
  const plain = isConditional ? withoutHosts(filter, hosts) : filter;
  const fields = new Map(foreign.fields.map((field) => [field.id, filterFieldOf(field)]));
  const { filter: read, issues } = readFilter(plain, fields, 'lookupOptions.filter');
  if (issues.length > 0) throw invalid(issues);
  if (read === null || read.filterSet.length === 0) return undefined;
  demandFixed(read, fields);
  if (!isConditional) return read;
  const whole = withHosts(read, hosts) as FilterGroup;
  for (const condition of hostConditions(whole)) {
    const fault = hostFault(own, foreign, condition);
    if (fault !== undefined)
      throw refuse('filter', fault, 'a field of this table with cells of the same kind, and an operator for them');
  }
  return whole;
};

interface Named {
  linked: Linked | undefined;
  foreign: RelatedTable;
  source: FieldSchema | undefined;
}

/** The link, if any, that a request names, and the field of the other table. */
const demandReading = (table: RelatedTable, given: Asked): Named => {
  const { linkFieldId, foreignTableId, lookupFieldId } = given.lookupOptions ?? {};
  const link = table.byId.get(linkFieldId ?? '');
  const linked = asksByFilter(given) || link === undefined || !isLink(link) ? undefined : linkedBy(link, table);
  if (linked === undefined && !asksByFilter(given))
    throw refuse(
      'linkFieldId',
      `The table has no link field ${String(linkFieldId).slice(0, 50)}`,
      'the id of a link field of this table',
    );
  const foreign = linked?.foreign ?? table.related.get(foreignTableId ?? '');
  if (foreign === undefined)
    throw refuse(
      'foreignTableId',
      `This base has no table ${String(foreignTableId).slice(0, 50)}`,
      'the id of a table of this base',
    );
  if (linked !== undefined && foreignTableId !== undefined && foreignTableId !== foreign.id)
    throw refuse('foreignTableId', `The link "${linked.field.name}" leads to another table`, foreign.id);
  if (lookupFieldId === undefined && given.isLookup !== true && given.type === count.type)
    return { linked, foreign, source: undefined };
  const source = foreign.byId.get(lookupFieldId ?? '');
  if (source === undefined)
    throw refuse(
      'lookupFieldId',
      `"${foreign.name}" has no field ${String(lookupFieldId).slice(0, 50)}`,
      'the id of a field of the linked table',
    );
  if (given.isLookup === true && source.type !== given.type)
    throw invalid({ path: 'type', message: `"${source.name}" is of type ${source.type}`, expected: source.type });
  // Countable, and no more: addresses of files are made for the table that they are in.
  const { kind } = cellTypeOf(source);
  if (
    (kind === 'file' || fieldTypeOf(source).isOnlyKept === true) &&
    (given.isLookup === true || !String(given.options?.expression ?? 'count').startsWith('count'))
  )
    throw refuse(
      'lookupFieldId',
      kind === 'file'
        ? `"${source.name}" holds files, which cannot be looked up yet`
        : `"${source.name}" is a button, which is pressed in its own record only`,
      'a field of another type',
    );
  if (source.computed?.state === 'broken')
    throw refuse('lookupFieldId', `"${source.name}" has an error`, 'a field without errors');
  return { linked, foreign, source };
};

/** What the server adds: where the keys of the link are. */
const completed = (
  { linked, foreign }: Pick<Named, 'linked' | 'foreign'>,
  { linkFieldId, lookupFieldId, sort, limit }: LookupOptions,
  filter: unknown,
): LookupOptions => {
  const { relationship, fkHostTableName, selfKeyName, foreignKeyName } = linked?.field.options ?? {};
  return {
    foreignTableId: foreign.id,
    ...(linkFieldId === undefined || linked === undefined ? {} : { linkFieldId }),
    ...(lookupFieldId === undefined ? {} : { lookupFieldId }),
    ...(filter === undefined ? {} : { filter }),
    ...(sort == null ? {} : { sort }),
    ...(limit == null ? {} : { limit }),
    ...(linked === undefined ? {} : { relationship, fkHostTableName, selfKeyName, foreignKeyName }),
  } as LookupOptions;
};

/** The name that it gets when none was sent. */
export const lookupName = (table: RelatedTable, given: NewField): string => {
  const { linked, foreign, source } = demandReading(table, given);
  if (linked === undefined) return `${source?.name}${given.isLookup === true ? '' : ' Reference'} (${foreign.name})`;
  if (source === undefined) return `Count (${linked.field.name})`;
  return `${source.name}${given.isLookup === true ? '' : ' Rollup'} (from ${linked.field.name})`;
};

/** Options of a lookup are those of the field that it shows: only how it shows them is its own. */
export const draftLookup = (
  newId: Services['newId'],
  given: NewField,
  siblings: readonly FieldSchema[],
): FieldSchema => {
  demandConstraints(fieldTypeOf({ type: given.type, isLookup: true }), given, (key) => key);
  if (given.isLookup !== true) return draftField(newId, given, siblings);
  const { options: _options, ...rest } = given;
  return { ...draftField(newId, { ...rest, type: singleLineText.type }, siblings), type: given.type, options: {} };
};

/** What the server changes beside the cells that people write: those are read at the moment. */
const changesByItself = (source: FieldSchema): boolean =>
  source.computed?.state === 'atRead' ||
  (fieldTypeOf(source).hasOwnColumn !== undefined && fieldTypeOf(source).hasOwnColumn?.(source.options) !== true);

const resultOf = (
  field: FieldSchema,
  { linked, source }: ResolvedLookup,
): Pick<ComputedState, 'cellValueType' | 'isMultiple'> | undefined => {
  const cells = cellTypeOf(source);
  if (
    (cells.kind === 'file' || fieldTypeOf(source).isOnlyKept === true) &&
    (field.isLookup === true || !(rollupFunction(field.options) ?? 'countall').startsWith('count'))
  )
    return undefined;
  if (field.isLookup === true)
    return {
      cellValueType: cells.cellValueType,
      isMultiple: linked === undefined || linked.isMultiple || cells.isMultiple,
    };
  return rollupResult(rollupFunction(field.options) ?? 'countall', cells.cellValueType);
};

/** Unless somebody says otherwise, a sum of money is shown as money, and how many there are without decimals. */
const withFormatting = (
  { options, type }: FieldSchema,
  { source }: ResolvedLookup,
  { cellValueType }: Pick<ComputedState, 'cellValueType'>,
): Options => {
  if (options.formatting != null || cellValueType !== 'number') return options;
  if (type === 'count' || rollupFunction(options)?.startsWith('count') === true)
    return { ...options, formatting: { type: 'decimal', precision: 0 } };
  return cellTypeOf(source).kind === 'number' && source.options.formatting != null
    ? { ...options, formatting: source.options.formatting }
    : options;
};

/** Options of a lookup are those of the field that it shows, but for how it shows them. */
const optionsOf = (
  field: FieldSchema,
  { source }: ResolvedLookup,
  result: Pick<ComputedState, 'cellValueType' | 'isMultiple'>,
): Options => {
  const { formatting, showAs } = field.options;
  if (field.isLookup !== true) return fitFormulaOptions(field.options, result);
  const own = { ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) };
  const fitted =
    field.type === source.type && field.computed?.cellValueType === result.cellValueType
      ? fitFormulaOptions(own, result)
      : {};
  const { showAs: shown, ...rest } = source.options;
  const isSameForm = cellTypeOf(source).isMultiple === result.isMultiple;
  const { formatting: fittedFormatting, showAs: fittedShowAs } = fitted as Options;
  return {
    ...rest,
    ...(shown != null && isSameForm ? { showAs: shown } : {}),
    ...(formatting != null && fittedFormatting !== undefined ? { formatting: fittedFormatting } : {}),
    ...(showAs != null && fittedShowAs !== undefined ? { showAs: fittedShowAs } : {}),
  };
};

/** A job fills its column, with what it still gives. */
const stillSettling = (
  computed: ComputedState | null | undefined,
  { cellValueType, isMultiple }: Pick<ComputedState, 'cellValueType' | 'isMultiple'>,
): computed is ComputedState =>
  computed?.state === 'settling' && computed.cellValueType === cellValueType && computed.isMultiple === isMultiple;

/** The filter by what its fields are now: they may be of another type since. Undefined: a condition means nothing any more. */
const filterNow = ({ own, foreign, filter }: ResolvedLookup): FilterGroup | null | undefined => {
  if (filter === null) return null;
  const hosts: unknown[] = [];
  const { filter: read, issues } = readFilter(
    withoutHosts(filter, hosts),
    new Map(foreign.fields.map((field) => [field.id, filterFieldOf(field)])),
    'filter',
  );
  if (read === null || issues.length > 0) return undefined;
  const whole = withHosts(read, hosts) as FilterGroup;
  return hostConditions(whole).every((condition) => hostFault(own, foreign, condition) === undefined)
    ? whole
    : undefined;
};

/** The field as it has to be now, by what it shows. */
export const refreshed = (field: FieldSchema, table: RelatedTable): FieldSchema => {
  const lookup = lookupOf(field, table);
  const result = lookup === undefined ? undefined : resultOf(field, lookup);
  const filter = lookup === undefined ? undefined : filterNow(lookup);
  if (lookup === undefined || result === undefined || filter === undefined) {
    const { cellValueType = 'string', isMultiple = false } = field.computed ?? {};
    return { ...field, computed: { cellValueType, isMultiple, state: 'broken' } };
  }
  const needed = [
    lookup.source,
    ...filterFieldIds(lookup.filter).map((id) => lookup.foreign.byId.get(id) as FieldSchema),
    ...(lookup.sort === null ? [] : [lookup.sort.field]),
  ];
  // Without a link any record of the other table may count, so that no write could tell whose cells it changes.
  const isAtRead = lookup.linked === undefined || needed.some(changesByItself);
  return {
    ...field,
    type: field.isLookup === true ? lookup.source.type : field.type,
    options: optionsOf(field, lookup, result),
    lookupOptions: completed(lookup, field.lookupOptions as LookupOptions, filter ?? undefined),
    computed: isAtRead
      ? { ...result, state: 'atRead' }
      : stillSettling(field.computed, result)
        ? field.computed
        : { ...result, state: 'settled' },
  };
};

/** A drafted field with what was asked for; 400 for what does not fit. */
export const resolveLookup = (field: FieldSchema, table: RelatedTable, given: NewField): FieldSchema => {
  const lookup = demandReading(table, given);
  const filter = demandFilter(table, lookup.foreign, given.lookupOptions?.filter, lookup.linked === undefined);
  const sortId = given.lookupOptions?.sort?.fieldId;
  if (sortId !== undefined && !lookup.foreign.byId.has(sortId))
    throw refuse(
      'sort.fieldId',
      `"${lookup.foreign.name}" has no field ${sortId.slice(0, 50)}`,
      'the id of a field of that table',
    );
  const drafted: FieldSchema = {
    ...field,
    isLookup: given.isLookup === true,
    lookupOptions: completed(lookup, given.lookupOptions as LookupOptions, filter),
  };
  const read = lookupOf(drafted, table) as ResolvedLookup;
  const result = resultOf(drafted, read);
  if (result === undefined)
    throw invalid({
      path: 'options.expression',
      message: `"${read.source.name}" holds ${cellTypeOf(read.source).cellValueType} values, which ${String(field.options.expression)} has no use for`,
      expected: 'a function for these values, such as array_join({values})',
    });
  const known: FieldSchema = { ...drafted, computed: { ...result, state: 'settled' } };
  if (drafted.isLookup !== true)
    return refreshed(
      { ...known, options: completeFormulaOptions(withFormatting(field, read, result), result, 'options') },
      table,
    );
  const { formatting, showAs } = (given.options ?? {}) as Options;
  completeFormulaOptions(
    { ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) },
    result,
    'options',
  );
  return refreshed(
    { ...known, options: { ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) } },
    table,
  );
};

const facts = ({ type, options, lookupOptions, computed }: FieldSchema): unknown => [
  type,
  options,
  lookupOptions,
  computed,
];

/** Those of a table that are not what they have to be. */
export const outdatedLookups = (table: RelatedTable): FieldSchema[] =>
  table.fields
    .filter(isLookedUp)
    .map((field) => [field, refreshed(field, table)] as const)
    .filter(([field, now]) => !isDeepStrictEqual(facts(field), facts(now)))
    .map(([, now]) => now);
