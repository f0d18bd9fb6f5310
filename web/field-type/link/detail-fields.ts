import type { Field } from '@rowhouse/contract/field.ts';
import { fieldTypeOf } from '../field-types.ts';
import type { LinkOptions } from './linked.ts';

/** Fields that say more about a linked record than its title. */
export const detailFields = (
  fields: readonly Field[],
  { visibleFieldIds, symmetricFieldId }: Pick<LinkOptions, 'visibleFieldIds' | 'symmetricFieldId'>,
  most: number,
): Field[] => {
  const chosen = visibleFieldIds == null || visibleFieldIds.length === 0 ? undefined : new Set(visibleFieldIds);
  return fields
    .filter(
      ({ id, isPrimary, type, hasError }) =>
        isPrimary !== true &&
        id !== symmetricFieldId &&
        hasError !== true &&
        (chosen === undefined ? fieldTypeOf(type).isLarge !== true : chosen.has(id)),
    )
    .slice(0, most);
};
