import { invalid } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from './change-schema.ts';
import { renameColumn } from './column.sql.ts';
import { checkDbName } from './db-name.ts';
import { updateField as writeField } from './field.sql.ts';
import { findField } from './get-field.ts';
import { seenField } from './seen-parts.ts';
import { ownColumnOf } from '../cell/types.ts';

interface Naming {
  name?: string;
  description?: string | null;
  dbFieldName?: string;
}

/** The field with the names it was given; a name that another field has is refused. */
export const renamed = (table: TableSchema, field: FieldSchema, given: Naming): FieldSchema => {
  const others = table.fields.filter((other) => other.id !== field.id);
  if (given.name !== undefined && others.some((other) => other.name === given.name)) {
    throw invalid({
      path: 'name',
      message: `Another field is called ${JSON.stringify(given.name)}`,
      expected: 'a name that is not taken',
    });
  }
  return {
    ...field,
    name: given.name ?? field.name,
    description: given.description === undefined ? field.description : given.description,
    dbFieldName:
      given.dbFieldName === undefined || given.dbFieldName === field.dbFieldName
        ? field.dbFieldName
        : checkDbName(given.dbFieldName, new Set(others.map((other) => other.dbFieldName)), 'dbFieldName'),
  };
};

export const updateField = (context: Context, tableId: string, fieldId: string, given: Naming): Promise<Field> =>
  changeSchema(context, tableId, async (tx, table) => {
    const sight = sightOf(context, table);
    const before = findField(sight, fieldId);
    const after = renamed(table, before, given);
    await writeField(tx, after, after.name !== before.name);
    if (after.dbFieldName !== before.dbFieldName && ownColumnOf(after) !== null) {
      await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
    }
    return seenField(sight, after);
  });
