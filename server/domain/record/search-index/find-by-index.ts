// How a search, or "contains", goes by the index of a large table: a condition that holds for all records that can be found, beside the one that says which are. Answers are the same without.
import { foldText, withoutAccents } from '@rowhouse/contract/fold.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { storedField } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/db.ts';
import type { Sql } from '../../../db/sql.ts';
import { cellTypeOf, columnOf, isStored } from '../../cell/types.ts';
import { createFold, gramsWithin } from '../../query/gram.ts';
import type { ResolvedQuery } from '../../query/resolve-query.ts';
import { searchIndexKind, type SearchIndexPayload } from './build-search-index.ts';
import {
  amongCandidates,
  type Coverage,
  estimateSegments,
  lookAhead,
  type SearchState,
  selectSearchState,
} from './search-index.sql.ts';
import { type Folding, foldingOf, type SearchedField, searchedField } from './searched-fields.ts';

type Looked = Pick<ResolvedQuery, 'search' | 'containing'>;

const looksForText = ({ search, containing }: Looked): boolean => search?.hides === true || containing.length > 0;

interface Known {
  time: number;
  /** Milliseconds. */
  lasts: number;
  state: SearchState | undefined;
  touched: number;
}

const capacity = 10_000;

/** Tests set them. */
export const limits = {
  /** Milliseconds in which an index is taken for what it was: one that is closed stays for longer. */
  fresh: 15_000,
  /** The same of a table that has none yet: one that is made is used soon. */
  freshNone: 2_000,
  /** Segments that were written lately, from which on reading the table is as good. */
  dirty: 2_000,
  /** Segments that may hold the text, as a part of all, from which on it is, too. */
  share: 1 / 6,
};

const known = new WeakMap<object, Map<string, Known>>();

const stateOf = async (db: Db, tableId: string): Promise<Known> => {
  const ofTables = known.get(db.identity) ?? new Map<string, Known>();
  known.set(db.identity, ofTables);
  const last = ofTables.get(tableId);
  if (last !== undefined && performance.now() - last.time < last.lasts) return last;
  const state = await selectSearchState(db, tableId);
  if (ofTables.size >= capacity) ofTables.clear();
  // Opened, and not yet made.
  const isUsable = state !== undefined && Object.keys(state.coverage).length > 0;
  const lasts = isUsable ? limits.fresh : limits.freshNone;
  const next = { lasts, time: performance.now(), state, touched: last?.touched ?? Number.NEGATIVE_INFINITY };
  ofTables.set(tableId, next);
  return next;
};

interface Plan {
  /** Each a list of parts that a record has all of; one of the lists is enough. */
  forms: number[][];
  fields: SearchedField[];
  /** For fields that no index covers, on the row `x`. */
  beside: Sql[];
}

const isCoveredBy =
  (coverage: Coverage) =>
  ({ id, mark }: SearchedField): boolean =>
    coverage[id] === mark;

/** The forms in which a search compares a text: see `columnHoldsText`. Null when one of them is too short. */
const formsOf = (texts: readonly string[], { fold }: Folding): number[][] | null => {
  const forms = new Map<string, number[]>();
  for (const text of texts) {
    const grams = gramsWithin(fold(text));
    if (grams === null) return null;
    forms.set(grams.join(), grams);
  }
  return [...forms.values()];
};

const planSearch = ({ search }: Looked, folding: Folding, coverage: Coverage): Plan | null => {
  if (search?.hides !== true) return null;
  const { text } = search;
  const forms = formsOf([withoutAccents(text), foldText(text), text], folding);
  if (forms === null) return null;
  const fields: SearchedField[] = [];
  const beside: Sql[] = [];
  for (const given of search.fields) {
    const field = storedField(given);
    const cells = cellTypeOf(field);
    if (!cells.canMatch(text, field)) continue;
    const searched = cells.looksInText?.(text) === false ? undefined : searchedField(field, folding);
    if (searched !== undefined && isCoveredBy(coverage)(searched)) fields.push(searched);
    else if (isStored(field)) beside.push(cells.matches(columnOf(field, 'x'), text, field));
    else return null;
  }
  return fields.length === 0 ? null : { forms, fields, beside };
};

const mostGrams = 24;

const planContaining = ({ containing }: Looked, folding: Folding, coverage: Coverage): Plan | null => {
  const fields: SearchedField[] = [];
  const grams = new Set<number>();
  for (const { field, text } of containing) {
    const searched = searchedField(field, folding);
    const own = searched === undefined || !isCoveredBy(coverage)(searched) ? null : gramsWithin(folding.fold(text));
    if (own === null) continue;
    fields.push(searched as SearchedField);
    for (const gram of own) if (grams.size < mostGrams) grams.add(gram);
  }
  return grams.size === 0 ? null : { forms: [[...grams]], fields, beside: [] };
};

/**
 * A condition on the record row `r`; null where a scan is as good, or all there is. Those who see masked cells are searched in what they see of them, which no index has.
 */
export const findByIndex = async (
  { db, work }: Context,
  { table, isMasked }: Sight,
  looked: Looked,
): Promise<Sql | null> => {
  if (!looksForText(looked) || isMasked || db.kind !== 'pool') return null;
  const one = await stateOf(db, table.id);
  if (one.state === undefined) return null;
  const { coverage, shift } = one.state;
  const folding = await foldingOf(db);
  if (folding.isImpossible) return null;
  const plan = planSearch(looked, folding, coverage) ?? planContaining(looked, folding, coverage);
  if (plan === null) return null;
  const { dirty, total } = await lookAhead(db, table.id, limits.dirty);
  const found = await estimateSegments(db, table.id, plan.forms);
  if (performance.now() - one.touched > 3_600_000) {
    one.touched = performance.now();
    const payload: SearchIndexPayload = { baseId: table.baseId, tableId: table.id };
    work.add({ kind: searchIndexKind, key: table.id, baseId: table.baseId, payload });
  }
  if (dirty >= limits.dirty || found + dirty > total * limits.share) return null;
  const needed = Object.fromEntries(plan.fields.map(({ id, mark }) => [id, mark]));
  return amongCandidates(table, { shift }, plan.forms, needed, plan.beside);
};

/** Milliseconds from which on it is worth while to have an index. */
const slow = 150;
const pause = 300_000;

const wished = new WeakMap<object, Map<string, number>>();

const plainly = createFold();

/** An index would say nothing of shorter texts. */
const isLongEnough = ({ search, containing }: Looked): boolean =>
  [...(search === null ? [] : [search.text]), ...containing.map(({ text }) => text)].some(
    (text) => gramsWithin(plainly(text)) !== null,
  );

/** Has the index made, or made again when fields have changed, after a search that took long. Does not wait. */
export const wishForSearchIndex = (
  { db, work }: Context,
  { table, rule, isMasked }: Sight,
  looked: Looked,
  took: number,
): void => {
  if (
    took < slow ||
    !looksForText(looked) ||
    !isLongEnough(looked) ||
    db.kind !== 'pool' ||
    rule.isPublic === true ||
    isMasked
  )
    return;
  const times = wished.get(db.identity) ?? new Map<string, number>();
  wished.set(db.identity, times);
  if (performance.now() - (times.get(table.id) ?? Number.NEGATIVE_INFINITY) < pause) return;
  if (times.size >= capacity) times.clear();
  times.set(table.id, performance.now());
  const payload: SearchIndexPayload = { baseId: table.baseId, tableId: table.id };
  work.add({ kind: searchIndexKind, key: table.id, baseId: table.baseId, payload });
};
