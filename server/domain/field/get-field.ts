import { notFound } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { readTable } from './change-schema.ts';
import { seenField } from './seen-parts.ts';

/** A field that the caller does not see is not there. */
export const findField = (sight: Sight, fieldId: string): FieldSchema => {
  const field = sight.byId.get(fieldId);
  if (field === undefined) throw notFound('Field', fieldId.slice(0, 50));
  return field;
};

export const getField = async (context: Context, tableId: string, fieldId: string): Promise<Field> =>
  fieldIn(sightOf(context, await readTable(context, tableId)), fieldId);

const fieldIn = (sight: Sight, fieldId: string): Field => seenField(sight, findField(sight, fieldId));
