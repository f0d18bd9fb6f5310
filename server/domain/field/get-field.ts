import type { Field } from '@rowhouse/contract/field.ts';
import type { Context } from '../../context.ts';
import { readTable } from './change-schema.ts';
import { fieldVo } from './field-vo.ts';
import { findField } from './find-field.ts';

export const getField = async (context: Context, tableId: string, fieldId: string): Promise<Field> =>
  fieldVo(findField(await readTable(context, tableId), fieldId));
