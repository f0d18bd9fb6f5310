import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { trackedIn } from '../cell/type/system.ts';
import { fieldTypeOf } from '../cell/types.ts';

/** The fields whose changes count have to be there, and of a type that people write. Those that it had before may be in the trash. */
export const demandTracked = (
  field: FieldSchema,
  fields: readonly FieldSchema[],
  at: string,
  before?: FieldSchema,
): void => {
  if (fieldTypeOf(field).hasOwnColumn === undefined) return;
  const known = new Set(before === undefined || before.type !== field.type ? [] : trackedIn(before.options));
  trackedIn(field.options).forEach((id, index) => {
    const path = `${at}.trackedFieldIds[${index}]`;
    const tracked = fields.find((one) => one.id === id);
    if (tracked === undefined && !known.has(id))
      throw invalid({
        path,
        message: `The table has no field ${id.slice(0, 50)}`,
        expected: 'the id of a field of this table',
      });
    if (tracked !== undefined && fieldTypeOf(tracked).isComputed)
      throw invalid({
        path,
        message: `"${tracked.name}" is computed: nobody changes it`,
        expected: 'the id of a field that people write',
      });
  });
};
