import { notFound } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { readTable } from './change-schema.ts';
import { fieldVo } from './field-vo.ts';

/** Grids name what they hide; the other views name what they show. */
export const isHidden = (view: ViewSchema, field: FieldSchema): boolean => {
  const column = view.columnMeta[field.id];
  if (field.isPrimary && view.type !== 'form') return false;
  return view.type === 'grid' ? column?.hidden === true : column?.visible !== true;
};

interface Wanted {
  viewId?: string;
  filterHidden?: boolean;
  projection?: string[];
}

export const listFields = async (context: Context, tableId: string, wanted: Wanted): Promise<Field[]> => {
  const table = await readTable(context, tableId);
  let fields = [...sightOf(context, table).fields];
  if (wanted.viewId !== undefined) {
    const view = table.views.find((one) => one.id === wanted.viewId);
    if (view === undefined) throw notFound('View', wanted.viewId);
    const orderOf = (field: FieldSchema): number => Number(view.columnMeta[field.id]?.order ?? Number.MAX_SAFE_INTEGER);
    fields.sort((one, other) => orderOf(one) - orderOf(other));
    if (wanted.filterHidden === true) fields = fields.filter((field) => !isHidden(view, field));
  }
  if (wanted.projection !== undefined) {
    const ids = new Set(wanted.projection);
    fields = fields.filter((field) => ids.has(field.id));
  }
  return fields.map(fieldVo);
};
