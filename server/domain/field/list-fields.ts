import { notFound } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { seesView, shownIn, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { readTable } from './change-schema.ts';
import { seenField } from './seen-parts.ts';

interface Wanted {
  viewId?: string;
  filterHidden?: boolean;
  projection?: string[];
}

export const listFields = async (context: Context, tableId: string, wanted: Wanted): Promise<Field[]> => {
  const table = await readTable(context, tableId);
  const sight = sightOf(context, table);
  let fields = [...sight.fields];
  if (wanted.viewId !== undefined) {
    const view = table.views.find((one) => one.id === wanted.viewId);
    if (view === undefined || !seesView(sight, view.id)) throw notFound('View', wanted.viewId);
    const orderOf = (field: FieldSchema): number => Number(view.columnMeta[field.id]?.order ?? Number.MAX_SAFE_INTEGER);
    if (wanted.filterHidden === true) fields = [...shownIn(sight, view)];
    fields.sort((one, other) => orderOf(one) - orderOf(other));
  }
  if (wanted.projection !== undefined) {
    const ids = new Set(wanted.projection);
    fields = fields.filter((field) => ids.has(field.id));
  }
  return fields.map((field) => seenField(sight, field));
};
