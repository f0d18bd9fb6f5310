// What charts of dashboards hold of choices: the names in their filters. Everything else that they name is an id, and what no longer fits is said when they are drawn.
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../db/db.ts';
import { lockChartsNaming, updateCharts } from './chart-reference.sql.ts';
import { renameInFilter } from './view-reference.ts';

const inside = (
  holder: unknown,
  key: 'filter' | 'where',
  fieldId: string,
  names: ReadonlyMap<string, string>,
): unknown =>
  typeof holder === 'object' && holder !== null && key in holder
    ? { ...holder, [key]: renameInFilter((holder as Record<string, unknown>)[key], fieldId, names) }
    : holder;

/** A choice that got another name keeps its place in the filters of charts. */
export const renameInCharts = async (
  tx: Queryable,
  baseId: string,
  fieldId: string,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  if ([...names].every(([before, after]) => before === after)) return;
  const charts = await lockChartsNaming(tx, baseId, fieldId);
  const renamed = charts.map(({ id, storage }) => ({
    id,
    storage: Object.fromEntries(
      Object.entries(storage).map(([key, part]) => [
        key,
        key === 'chart'
          ? inside(part, 'filter', fieldId, names)
          : key === 'query'
            ? inside(part, 'where', fieldId, names)
            : part,
      ]),
    ),
  }));
  const changed = renamed.filter(({ storage }, at) => !isDeepStrictEqual(storage, charts[at]?.storage));
  if (changed.length > 0) await updateCharts(tx, changed);
};
