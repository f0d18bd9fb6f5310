// What a new Gantt view takes for what waits for what: a link whose other side is in the same table.
import type { Field } from '@rowhouse/contract/field.ts';
import { isUsableLink, linkOptionsOf } from '../../field-type/link/linked.ts';
import { checkboxes } from '../bars/bar-fields.ts';

export const beginWaiting = (fields: readonly Field[]): Record<string, unknown> => {
  const known = new Set(fields.map(({ id }) => id));
  const link = fields.find((field) => isUsableLink(field) && known.has(linkOptionsOf(field).symmetricFieldId ?? ''));
  const milestone = checkboxes(fields).find(({ name }) => /milestone/i.test(name));
  return {
    ...(link === undefined ? {} : { dependencyFieldId: link.id }),
    ...(milestone === undefined ? {} : { milestoneFieldId: milestone.id }),
  };
};
