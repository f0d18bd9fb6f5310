// Views for those who are bound by rules: the ones that are there for them, without what names fields that they do not see.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { isBound } from '../../catalog/access.ts';
import { seesView, type Sight, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';

const isFieldId = (value: unknown): value is string => typeof value === 'string' && /^fld[0-9A-Za-z]+$/.test(value);

/** Undefined for what is left out: ids of unseen fields, what is said of them, and conditions on them, wherever they stand. */
const cut = (value: unknown, sees: (fieldId: string) => boolean): unknown => {
  if (isFieldId(value)) return sees(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => cut(item, sees)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const { fieldId } = value as { fieldId?: unknown };
  if (isFieldId(fieldId) && !sees(fieldId)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const kept = isFieldId(key) && !sees(key) ? undefined : cut(item, sees);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
};

/** What of a view is shown. */
export const limitView = (sight: Sight, view: View): View => {
  // Its share opens records that they may not see.
  const { filter, shareId: _shareId, ...rest } = cut(view, (id) => sight.byId.has(id)) as View;
  return filter == null || filter.filterSet.length === 0 ? rest : { ...rest, filter };
};

/** Undefined for those whom no rules bind. */
export const boundSight = (context: Context, table: TableSchema): Sight | undefined =>
  isBound(context.access) ? sightOf(context, table) : undefined;

export const demandSeenView = (context: Context, table: TableSchema, viewId: string): void => {
  const sight = boundSight(context, table);
  if (sight !== undefined && !seesView(sight, viewId)) throw notFound('View', viewId.slice(0, 50));
};

/** Fields that may be named in a view. */
export const nameableIn = (context: Context, table: TableSchema): ReadonlyMap<string, FieldSchema> =>
  boundSight(context, table)?.byId ?? table.byId;

/** Who does not see all of a filter cannot replace it. */
export const demandWholeFilter = (
  context: Context,
  table: TableSchema,
  { filter }: Pick<ViewSchema, 'filter'>,
): void => {
  const sight = boundSight(context, table);
  if (sight !== undefined && !filterFieldIds(filter as FilterGroup | null).every((id) => sight.byId.has(id)))
    throw forbidden(
      'The filter of this view names fields that you do not see: only somebody who sees them can replace it',
    );
};
