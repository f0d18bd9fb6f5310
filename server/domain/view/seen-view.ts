// Views for those who are bound by rules: the ones that are there for them, without what names fields that they do not see.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { fieldsNamedBy, shapeOf, withoutOptions } from '@rowhouse/contract/view-types.ts';
import { isBound } from '../../catalog/access.ts';
import { seesView, type Sight, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { decidingFields, colorRulesOf } from '@rowhouse/contract/color-rule.ts';
import { publicColorRules } from '../field/color-rules.ts';
import { withoutUnseen } from '../field/seen-parts.ts';

/** A rule of colours goes as a whole: with a condition less it would colour records that nobody meant. */
const limitParts = <Parts extends Pick<ViewSchema, 'options' | 'type'>>({ byId }: Sight, parts: Parts): Parts => {
  const sees = (id: string): boolean => byId.has(id);
  const unseen = new Set(
    fieldsNamedBy(parts).flatMap(({ path, fieldId }) => (sees(fieldId) ? [] : [path.split('.')[0]])),
  );
  const options = shapeOf(parts.type).tellsLost === true ? withoutOptions(parts, unseen) : parts.options;
  return withoutUnseen({ ...parts, options: publicColorRules(options, sees) }, sees) as Parts;
};

/** What of a view is shown. */
export const limitView = (sight: Sight, view: View): View => {
  // Its share opens records that they may not see.
  const { filter, shareId: _shareId, ...rest } = limitParts(sight, view as View & Pick<ViewSchema, 'options' | 'type'>);
  return filter == null || filter.filterSet.length === 0 ? rest : { ...rest, filter };
};

export type SeenView = Pick<ViewSchema, 'name' | 'type' | 'filter' | 'sort' | 'group' | 'options'>;

/** What the caller has read of a view that they change: a change is compared with it, and a refusal tells it. */
export const seenParts = (
  context: Context,
  table: TableSchema,
  { name, type, filter, sort, group, options }: ViewSchema,
): SeenView => {
  const sight = boundSight(context, table);
  if (sight === undefined) return { name, type, filter, sort, group, options };
  const seen = limitParts(sight, { name, type, filter, sort, group, options });
  return (seen.filter as FilterGroup | null)?.filterSet.length === 0 ? { ...seen, filter: null } : seen;
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

/** Who does not see all rules of its colours cannot replace them. */
export const demandWholeColors = (context: Context, table: TableSchema, view: Pick<ViewSchema, 'options'>): void => {
  const sight = boundSight(context, table);
  if (
    sight !== undefined &&
    !colorRulesOf(view)
      .flatMap(decidingFields)
      .every((id) => sight.byId.has(id))
  )
    throw forbidden(
      'Colours of this view depend on fields that you do not see: only somebody who sees them can replace them',
    );
};

/** Whose rules list the views would not see one that they share with all: theirs are personal. */
export const ownerOfNew = (context: Context, tableId: string, isPersonal: boolean): string | null =>
  isPersonal || (context.access.rights.bound?.views(tableId) ?? null) !== null ? context.principal.userId : null;

/** The view would be gone for its owner. */
export const demandStillSeen = (context: Context, table: TableSchema, { id, ownerId }: ViewSchema): void => {
  const sight = boundSight(context, table);
  if (ownerId === null && sight?.rule.viewIds != null && !sight.rule.viewIds.has(id))
    throw forbidden('Your roles list the views that you see, so a view of yours stays personal');
};
