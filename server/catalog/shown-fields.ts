// Which fields a view shows, and which are read through it. Asked through a sight (`shownIn`, `readIn`), and by shares when they make one.
import { fieldsNamedBy, shapeOf } from '@rowhouse/contract/view-types.ts';
import type { FieldSchema, RelatedTable, ViewSchema } from './table.ts';

/** Some name what they hide, the others what they show. Stacks, covers and dates are shown in any case. */
export const isShownIn = (view: ViewSchema): ((field: Pick<FieldSchema, 'id' | 'isPrimary'>) => boolean) => {
  const { columns, hasPrimary } = shapeOf(view.type);
  const needed = new Set(fieldsNamedBy(view).flatMap(({ fieldId, asks }) => (asks.isNeeded ? [fieldId] : [])));
  return ({ id, isPrimary }) => {
    const column = view.columnMeta[id];
    if ((isPrimary && hasPrimary) || needed.has(id)) return true;
    return columns === 'hidden' ? column?.hidden !== true : column?.visible === true;
  };
};

/**
 * When no fields are named, reading through a view leaves out those that it says are hidden. Of a field that was added later it says nothing: clients of boards
 * and calendars read such fields too, by which they place a record.
 */
export const isReadIn =
  (view: ViewSchema) =>
  ({ id, isPrimary }: Pick<FieldSchema, 'id' | 'isPrimary'>): boolean => {
    const column = view.columnMeta[id];
    return isPrimary || (shapeOf(view.type).columns === 'hidden' ? column?.hidden !== true : column?.visible !== false);
  };

export const shownFields = (view: ViewSchema, { fields }: Pick<RelatedTable, 'fields'>): Set<string> =>
  new Set(fields.filter(isShownIn(view)).map(({ id }) => id));
