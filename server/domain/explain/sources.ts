// Why a computed or linked cell is hidden: which of the things that it shows are hidden themselves. Walks the definitions as the derivation in
// `domain/computed/bound-rights.ts` does, and stops at the first thing on each way that nobody has to look behind.
import type { whoSees } from '@rowhouse/contract/rights-explained.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { RecordCondition } from '../../catalog/condition.ts';
import type { Rights } from '../../catalog/rights.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { expressionText, isFormula } from '../cell/formula.sql.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import { isConditional, isLookedUp } from '../cell/looked-up.sql.ts';
import { trackedIn } from '../cell/type/system.ts';
import { FormulaError } from '../formula/error.ts';
import { keysOf } from '../formula/references.ts';

type Hiding = ResponseOf<typeof whoSees>['people'][number]['hiddenBy'][number];

const formulaKeys = (field: FieldSchema): string[] => {
  try {
    return keysOf(expressionText(field));
  } catch (error) {
    if (error instanceof FormulaError) return [];
    throw error;
  }
};

/** What of another table the field shows: that table, and the ids of its fields. */
const beyondOf = (table: RelatedTable, field: FieldSchema): { foreign: RelatedTable; ids: string[] } | undefined => {
  const { linkFieldId, foreignTableId, lookupFieldId, filter, sort } = field.lookupOptions ?? {};
  const link = isLink(field) ? field : table.byId.get(linkFieldId ?? '');
  const linked = link !== undefined && isLink(link) ? linkedBy(link, table) : undefined;
  const foreign = isConditional(field) ? table.related.get(foreignTableId ?? '') : linked?.foreign;
  if (foreign === undefined) return undefined;
  if (isLink(field)) return linked === undefined ? undefined : { foreign, ids: [linked.title.id] };
  return {
    foreign,
    ids: [
      lookupFieldId ?? foreign.primary.id,
      ...filterFieldIds((filter ?? null) as FilterGroup | null),
      ...(sort == null ? [] : [sort.fieldId]),
    ],
  };
};

/** Fields of the own table that it is made of. */
const ownSources = (table: RelatedTable, field: FieldSchema): string[] => {
  if (isFormula(field)) return formulaKeys(field);
  if (isLookedUp(field)) {
    const { linkFieldId, filter } = field.lookupOptions ?? {};
    const hosts = hostConditions((filter ?? null) as FilterGroup | null).flatMap((one) => hostFieldOf(one) ?? []);
    return [...(linkFieldId === undefined ? [] : [linkFieldId]), ...hosts];
  }
  return isLink(field) ? [] : trackedIn(field.options).filter((id) => table.byId.has(id));
};

/** A link that something is looked up through has to be granted itself; its titles are not shown. */
const isWay = (one: FieldSchema, id: string): boolean => isLookedUp(one) && one.lookupOptions?.linkFieldId === id;

/** Of a field that is granted; a field that people write has no sources. */
export const hiddenSources = (rights: Rights, home: RelatedTable, field: FieldSchema): Hiding[] => {
  const { cell } = rights;
  if (cell === undefined) return [];
  const found = new Map<string, Hiding>();
  const seen = new Set<string>();
  const tell = (table: RelatedTable, source: FieldSchema | undefined, condition: RecordCondition): void => {
    const named = source === undefined ? {} : { fieldId: source.id, fieldName: source.name };
    const key = `${table.id} ${source?.id ?? ''}`;
    if (!found.has(key))
      found.set(key, { tableId: table.id, tableName: table.name, ...named, always: condition === false });
  };
  const walk = (table: RelatedTable, one: FieldSchema): void => {
    if (seen.has(one.id)) return;
    seen.add(one.id);
    for (const id of ownSources(table, one)) {
      const source = table.byId.get(id);
      if (source !== undefined) visit(table, source, true, isWay(one, id));
    }
    const beyond = beyondOf(table, one);
    if (beyond === undefined) return;
    const { foreign, ids } = beyond;
    const rows = rights.of(foreign.id)?.rows ?? false;
    if (rows !== true) tell(foreign, undefined, rows);
    for (const id of ids) {
      const source = foreign.byId.get(id);
      if (source !== undefined) visit(foreign, source, false, false);
    }
  };
  const visit = (table: RelatedTable, source: FieldSchema, isOwnRecord: boolean, isOnlyWay: boolean): void => {
    const condition = cell(table.id, source.id);
    const rows = rights.of(table.id)?.rows ?? false;
    // Of the own record it is no obstacle that others are hidden.
    const isGranted = condition === true || (isOwnRecord && JSON.stringify(condition) === JSON.stringify(rows));
    const isHiddenWithItsRecord = JSON.stringify(condition) === JSON.stringify(rows);
    if (!isGranted && !isHiddenWithItsRecord) tell(table, source, condition);
    if (!isOnlyWay) walk(table, source);
  };
  walk(home, field);
  return [...found.values()];
};

/** What a grant has to reveal so that the field is seen wherever it is granted: everything on the way to what it shows that is not seen in any case. */
export const revealsFor = (rights: Rights, home: RelatedTable, field: FieldSchema): string[] => {
  const { cell } = rights;
  if (cell === undefined) return [];
  const found = new Set<string>();
  const walked = new Set<string>();
  const rowsOf = (table: RelatedTable): RecordCondition => rights.of(table.id)?.rows ?? false;
  const walk = (table: RelatedTable, one: FieldSchema): void => {
    if (walked.has(one.id)) return;
    walked.add(one.id);
    const visit = (at: RelatedTable, id: string, isSeen: (condition: RecordCondition) => boolean): void => {
      const source = at.byId.get(id);
      if (source === undefined) return;
      if (!isSeen(cell(at.id, source.id))) found.add(source.id);
      if (!isWay(one, id)) walk(at, source);
    };
    const isOfRecord = (condition: RecordCondition): boolean =>
      rights.of(table.id) !== null && JSON.stringify(condition) === JSON.stringify(rowsOf(table));
    for (const id of ownSources(table, one)) visit(table, id, isOfRecord);
    const beyond = beyondOf(table, one);
    if (beyond === undefined) return;
    if (rowsOf(beyond.foreign) !== true) found.add(beyond.foreign.id);
    for (const id of beyond.ids) visit(beyond.foreign, id, (condition) => condition === true);
  };
  walk(home, field);
  return [...found];
};
