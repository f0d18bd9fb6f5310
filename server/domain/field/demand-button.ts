// What a button needs: a plan that has them, and an address that names fields of the table.
import { fieldsInAddress } from '@rowhouse/contract/button.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { demandFeature } from '../plan/demand-feature.ts';

export const demandButton = (
  context: Context,
  field: FieldSchema,
  fields: readonly FieldSchema[],
  at: string,
  before?: FieldSchema,
): void => {
  const isButton = (one: FieldSchema): boolean => fieldTypeOf(one).isOnlyKept === true;
  if (!isButton(field)) return;
  if (before === undefined || !isButton(before)) demandFeature(context, 'buttonFieldEnable');
  const addressOf = (one: FieldSchema): string =>
    isButton(one) && one.options.action === 'openLink' ? String(one.options.url) : '';
  // One that it had before may be in the trash.
  const known = new Set(before === undefined ? [] : fieldsInAddress(addressOf(before)));
  const unknown = fieldsInAddress(addressOf(field)).find(
    (id) => !known.has(id) && !fields.some((one) => one.id === id && id !== field.id),
  );
  if (unknown !== undefined)
    throw invalid({
      path: `${at}.url`,
      message: `The table has no field ${unknown}`,
      expected: 'ids of other fields of this table in braces',
    });
};
