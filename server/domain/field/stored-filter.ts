// Filters that are stored with views. A condition stays when its field is converted to a type that it does not fit, and has
// no effect then (ADR 107): the app shows it, and a share shows no records.
import { isDeepStrictEqual } from 'node:util';
import { colorRulesOf } from '@rowhouse/contract/color-rule.ts';
import { type Condition, type FilterField, type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import { filterFieldOf } from './field-vo.ts';

type Known = Pick<TableSchema, 'byId'>;

const known = new WeakMap<Known['byId'], ReadonlyMap<string, FilterField>>();

const filterFieldsOf = ({ byId }: Known): ReadonlyMap<string, FilterField> => {
  const fields = known.get(byId) ?? new Map([...byId].map(([id, field]) => [id, filterFieldOf(field)]));
  known.set(byId, fields);
  return fields;
};

/** Without the conditions that no longer fit their fields. */
export const fittingFilter = (filter: unknown, table: Known): FilterGroup | null =>
  readFilter(filter, filterFieldsOf(table), '').filter;

/** Whether all its conditions fit their fields. */
export const filterFits = (filter: unknown, table: Known): boolean =>
  readFilter(filter, filterFieldsOf(table), '').issues.length === 0;

/** Without the conditions whose fields are gone; null when nothing is left. */
export const keepConditions = (filter: unknown, table: Known): FilterGroup | null => {
  const { filter: kept } = readFilter(filter, filterFieldsOf(table), 'filter', () => true);
  return kept === null || kept.filterSet.length === 0 ? null : kept;
};

const conditionsIn = (item: unknown): Condition[] => {
  const node = item as Condition | FilterGroup | null;
  return node === null ? [] : 'filterSet' in node ? node.filterSet.flatMap(conditionsIn) : [node];
};

/** Says whether a condition is stored already: such a one may be sent again although it no longer fits. */
export const isStoredIn = (views: readonly ViewSchema[]): ((item: Record<string, unknown>) => boolean) => {
  let stored: Condition[] | undefined;
  return ({ fieldId, operator, value = null }) => {
    stored ??= views.flatMap(({ filter, columnMeta, options }) => [
      ...conditionsIn(filter),
      ...colorRulesOf({ options }).flatMap((rule) => conditionsIn(rule.filter ?? null)),
      ...Object.values(columnMeta).flatMap(({ condition }) => conditionsIn(condition ?? null)),
    ]);
    return stored.some((condition) => isDeepStrictEqual(condition, { fieldId, operator, value }));
  };
};
