import { forbidden } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from './change-schema.ts';
import { dropColumn } from './column.sql.ts';
import { removeFields } from './field.sql.ts';
import { findField } from './find-field.ts';
import { fieldTypeOf } from './types.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView } from './view-reference.ts';

export const deleteFields = (context: Context, tableId: string, fieldIds: readonly string[]): Promise<void> =>
  changeSchema(context, tableId, async (tx, table) => {
    const gone = [...new Set(fieldIds)].map((fieldId) => findField(table, fieldId));
    if (gone.some((field) => field.isPrimary)) throw forbidden('The primary field cannot be deleted');
    const left = new Map(table.fields.filter((field) => !gone.includes(field)).map((field) => [field.id, field]));
    await updateReferences(tx, table.views.map((view) => fitView(view, left)));
    for (const field of gone) if (fieldTypeOf(field.type).column !== null) await dropColumn(tx, table, field.dbFieldName);
    await removeFields(tx, gone.map((field) => field.id));
  });
