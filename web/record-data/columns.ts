// The columns of a view: fields in its order, without the hidden ones.
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';

export interface ColumnMeta {
  order: number;
  width?: number;
  hidden?: boolean;
  statisticFunc?: Statistic | null;
  visible?: boolean;
}

export interface Column {
  field: Field;
  width: number;
  order: number;
}

const defaultWidths: Partial<Record<Field['type'], number>> = {
  longText: 260,
  checkbox: 90,
  rating: 150,
  number: 130,
  autoNumber: 100,
  date: 140,
  singleSelect: 150,
  multipleSelect: 220,
};

const widest = 260;

/** Wide enough for its cells and, up to a point, for its name beside the icon and the menu. */
const widthOf = ({ type, name, isPrimary }: Field): number =>
  Math.max(isPrimary === true ? 220 : (defaultWidths[type] ?? 180), Math.min(widest, 60 + name.length * 8));

export const metaOf = (view: View, fieldId: string): ColumnMeta =>
  (view.columnMeta[fieldId] as ColumnMeta | undefined) ?? { order: Number.MAX_SAFE_INTEGER };

/** Grids name the fields they hide, boards and forms the ones they show. */
export const isHidden = (view: View, field: Field): boolean => {
  if (field.isPrimary === true && shapeOf(view.type).hasPrimary) return false;
  const { hidden, visible } = metaOf(view, field.id);
  return shapeOf(view.type).columns === 'hidden' ? hidden === true : visible !== true;
};

export const hiding = (view: View, hide: boolean): Partial<ColumnMeta> =>
  shapeOf(view.type).columns === 'hidden' ? { hidden: hide } : { visible: !hide };

/** The primary field always comes first: it is what the other cells of the row are about. */
export const orderedFields = (fields: readonly Field[], view: View): Field[] =>
  [...fields].sort(
    (one, other) =>
      Number(other.isPrimary === true) - Number(one.isPrimary === true) ||
      metaOf(view, one.id).order - metaOf(view, other.id).order,
  );

export const columnsOf = (fields: readonly Field[], view: View): Column[] =>
  orderedFields(fields, view)
    .filter((field) => !isHidden(view, field))
    .map((field) => {
      const meta = metaOf(view, field.id);
      return { field, order: meta.order, width: meta.width ?? widthOf(field) };
    });

/** The order number that puts a column behind `previous` and before `next`. */
export const orderBetween = (previous: number | undefined, next: number | undefined): number => {
  if (previous === undefined) return (next ?? 1) - 1;
  return next === undefined || next === Number.MAX_SAFE_INTEGER ? previous + 1 : (previous + next) / 2;
};

/** How many stay in sight when others are scrolled; none on a phone, where they would take all the room. */
export const frozenColumnsOf = ({ options }: View, columns: readonly Column[]): number =>
  Math.min(
    typeof options['frozenColumnCount'] === 'number' ? options['frozenColumnCount'] : 1,
    columns.length,
    document.documentElement.clientWidth < 640 ? 0 : 50,
  );
