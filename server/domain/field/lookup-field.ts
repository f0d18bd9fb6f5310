// Lookups, rollups and counts as fields: what a request for one means, and what becomes of it when what it shows changes.
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '@rowhouse/contract/error.ts';
import type { LookupOptions, NewField } from '@rowhouse/contract/field.ts';
import { readFilter } from '@rowhouse/contract/filter.ts';
import type { ComputedState, FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { isLink, linkedBy, type Linked } from '../cell/linked.sql.ts';
import { filterFieldIds, isLookedUp, type Reading, readingOf } from '../cell/looked-up.sql.ts';
import { count, rollup, rollupFunction, rollupResult } from '../cell/type/rollup.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { singleLineText } from '../cell/type/text.ts';
import type { Services } from '../../context.ts';
import { demandConstraints, draftField } from './draft-field.ts';
import { filterFieldOf } from './field-vo.ts';
import { completeFormulaOptions, fitFormulaOptions } from './fit-formula-options.ts';

type Options = Record<string, unknown>;

/** A request for a field that shows cells of linked records. */
export const asksToLookUp = ({ type, isLookup, lookupOptions }: { type: string; isLookup?: boolean | undefined; lookupOptions?: unknown }): boolean =>
  isLookup === true || lookupOptions != null || type === rollup.type || type === count.type;

const refuse = (path: string, message: string, expected: string): Error => invalid({ path: `lookupOptions.${path}`, message, expected });

const isFixed = (value: unknown): boolean => {
  if (value === 'me' || (Array.isArray(value) && value.includes('me'))) return false;
  return typeof value !== 'object' || value === null || Array.isArray(value) || ['exactDate', 'exactFormatDate'].includes(String((value as { mode?: unknown }).mode));
};

/** What is stored cannot depend on who looks, or when. */
const demandFixed = (filter: unknown): void => {
  const walk = (item: { filterSet?: unknown[]; value?: unknown }): boolean => (item.filterSet === undefined ? isFixed(item.value) : item.filterSet.every((one) => walk(one as typeof item)));
  if (!walk(filter as { filterSet: unknown[] })) throw refuse('filter', 'A filter of linked records can name neither the caller nor a day that moves', 'fixed values');
};

const demandFilter = (linked: Linked, filter: unknown): unknown => {
  if (filter == null) return undefined;
  const { filter: read, issues } = readFilter(filter, new Map(linked.foreign.fields.map((field) => [field.id, filterFieldOf(field)])), 'lookupOptions.filter');
  if (issues.length > 0) throw invalid(issues);
  if (read === null || read.filterSet.length === 0) return undefined;
  demandFixed(read);
  return read;
};

/** The link that a request names, and the field of the other table. */
const demandReading = (table: RelatedTable, given: Pick<NewField, 'type' | 'isLookup' | 'lookupOptions' | 'options'>): { linked: Linked; source: FieldSchema | undefined } => {
  const { linkFieldId, foreignTableId, lookupFieldId } = given.lookupOptions ?? {};
  const link = table.byId.get(linkFieldId ?? '');
  const linked = link === undefined || !isLink(link) ? undefined : linkedBy(link, table);
  if (linked === undefined) throw refuse('linkFieldId', `The table has no link field ${String(linkFieldId).slice(0, 50)}`, 'the id of a link field of this table');
  if (foreignTableId !== undefined && foreignTableId !== linked.foreign.id) throw refuse('foreignTableId', `The link "${linked.field.name}" leads to another table`, linked.foreign.id);
  if (lookupFieldId === undefined && given.isLookup !== true && given.type === count.type) return { linked, source: undefined };
  const source = linked.foreign.byId.get(lookupFieldId ?? '');
  if (source === undefined) throw refuse('lookupFieldId', `"${linked.foreign.name}" has no field ${String(lookupFieldId).slice(0, 50)}`, 'the id of a field of the linked table');
  if (given.isLookup === true && source.type !== given.type) throw invalid({ path: 'type', message: `"${source.name}" is of type ${source.type}`, expected: source.type });
  // Countable, and no more: addresses of files are made for the table that they are in.
  if (cellTypeOf(source).kind === 'file' && (given.isLookup === true || !String(given.options?.expression).startsWith('count'))) throw refuse('lookupFieldId', `"${source.name}" holds files, which cannot be looked up yet`, 'a field of another type');
  if (source.computed?.state === 'broken') throw refuse('lookupFieldId', `"${source.name}" has an error`, 'a field without errors');
  return { linked, source };
};

/** What the server adds: where the keys of the link are. */
const completed = ({ linked }: Pick<Reading, 'linked'>, { linkFieldId, lookupFieldId }: LookupOptions, filter: unknown): LookupOptions => {
  const { relationship, fkHostTableName, selfKeyName, foreignKeyName } = linked.field.options;
  return {
    foreignTableId: linked.foreign.id,
    ...(linkFieldId === undefined ? {} : { linkFieldId }),
    ...(lookupFieldId === undefined ? {} : { lookupFieldId }),
    ...(filter === undefined ? {} : { filter }),
    relationship, fkHostTableName, selfKeyName, foreignKeyName,
  } as LookupOptions;
};

/** The name that it gets when none was sent. */
export const lookupName = (table: RelatedTable, given: NewField): string => {
  const { linked, source } = demandReading(table, given);
  if (source === undefined) return `Count (${linked.field.name})`;
  return `${source.name}${given.isLookup === true ? '' : ' Rollup'} (from ${linked.field.name})`;
};

/** Options of a lookup are those of the field that it shows: only how it shows them is its own. */
export const draftLookup = (newId: Services['newId'], given: NewField, siblings: readonly FieldSchema[]): FieldSchema => {
  demandConstraints(fieldTypeOf({ type: given.type, isLookup: true }), given, (key) => key);
  if (given.isLookup !== true) return draftField(newId, given, siblings);
  const { options: _options, ...rest } = given;
  return { ...draftField(newId, { ...rest, type: singleLineText.type }, siblings), type: given.type, options: {} };
};

/** What the server changes beside the cells that people write: those are read at the moment. */
const changesByItself = (source: FieldSchema): boolean => source.computed?.state === 'atRead' || (fieldTypeOf(source).hasOwnColumn !== undefined && fieldTypeOf(source).hasOwnColumn?.(source.options) !== true);

const resultOf = (field: FieldSchema, { linked, source }: Reading): Pick<ComputedState, 'cellValueType' | 'isMultiple'> | undefined => {
  const cells = cellTypeOf(source);
  if (cells.kind === 'file' && (field.isLookup === true || !(rollupFunction(field.options) ?? 'countall').startsWith('count'))) return undefined;
  if (field.isLookup === true) return { cellValueType: cells.cellValueType, isMultiple: linked.isMultiple || cells.isMultiple };
  return rollupResult(rollupFunction(field.options) ?? 'countall', cells);
};

/** Options of a lookup are those of the field that it shows, but for how it shows them. */
const optionsOf = (field: FieldSchema, { source }: Reading, result: Pick<ComputedState, 'cellValueType' | 'isMultiple'>): Options => {
  const { formatting, showAs } = field.options;
  if (field.isLookup !== true) return fitFormulaOptions(field.options, result);
  const own = { ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) };
  const fitted = field.type === source.type && field.computed?.cellValueType === result.cellValueType ? fitFormulaOptions(own, result) : {};
  const { showAs: shown, ...rest } = source.options;
  const isSameForm = cellTypeOf(source).isMultiple === result.isMultiple;
  const { formatting: fittedFormatting, showAs: fittedShowAs } = fitted as Options;
  return { ...rest, ...(shown != null && isSameForm ? { showAs: shown } : {}), ...(formatting != null && fittedFormatting !== undefined ? { formatting: fittedFormatting } : {}), ...(showAs != null && fittedShowAs !== undefined ? { showAs: fittedShowAs } : {}) };
};

/** The field as it has to be now, by what it shows. */
export const refreshed = (field: FieldSchema, table: RelatedTable): FieldSchema => {
  const reading = readingOf(field, table);
  const result = reading === undefined ? undefined : resultOf(field, reading);
  const isFiltered = reading === undefined || filterFieldIds(reading.filter).every((id) => reading.linked.foreign.byId.has(id));
  if (reading === undefined || result === undefined || !isFiltered) {
    const { cellValueType = 'string', isMultiple = false } = field.computed ?? {};
    return { ...field, computed: { cellValueType, isMultiple, state: 'broken' } };
  }
  const isAtRead = changesByItself(reading.source) || filterFieldIds(reading.filter).some((id) => changesByItself(reading.linked.foreign.byId.get(id) as FieldSchema));
  return {
    ...field,
    type: field.isLookup === true ? reading.source.type : field.type,
    options: optionsOf(field, reading, result),
    lookupOptions: completed(reading, field.lookupOptions as LookupOptions, field.lookupOptions?.filter),
    computed: { ...result, state: isAtRead ? 'atRead' : 'settled' },
  };
};

/** A drafted field with what was asked for; 400 for what does not fit. */
export const resolveLookup = (field: FieldSchema, table: RelatedTable, given: NewField): FieldSchema => {
  const reading = demandReading(table, given);
  const filter = demandFilter(reading.linked, given.lookupOptions?.filter);
  const drafted: FieldSchema = { ...field, isLookup: given.isLookup === true, lookupOptions: completed(reading, given.lookupOptions as LookupOptions, filter) };
  const read = readingOf(drafted, table) as Reading;
  const result = resultOf(drafted, read);
  if (result === undefined) throw invalid({ path: 'options.expression', message: `"${read.source.name}" holds ${cellTypeOf(read.source).cellValueType} values, which ${String(field.options.expression)} has no use for`, expected: 'a function for these values, such as array_join({values})' });
  const known: FieldSchema = { ...drafted, computed: { ...result, state: 'settled' } };
  if (drafted.isLookup !== true) return refreshed({ ...known, options: completeFormulaOptions(field.options, result, 'options') }, table);
  const { formatting, showAs } = (given.options ?? {}) as Options;
  completeFormulaOptions({ ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) }, result, 'options');
  return refreshed({ ...known, options: { ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) } }, table);
};

const facts = ({ type, options, lookupOptions, computed }: FieldSchema): unknown => [type, options, lookupOptions, computed];

/** Those of a table that are not what they have to be. */
export const outdatedLookups = (table: RelatedTable): FieldSchema[] =>
  table.fields.filter(isLookedUp).map((field) => [field, refreshed(field, table)] as const).filter(([field, now]) => !isDeepStrictEqual(facts(field), facts(now))).map(([, now]) => now);
