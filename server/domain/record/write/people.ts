// The people who can be named in the user fields of a base, read only when a request needs them.
import type { Queryable } from '../../../db/db.ts';
import type { TableSchema } from '../../../catalog/table.ts';
import type { Person } from '../../cell/type.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { selectPeople } from '../../field/field.sql.ts';

/** Whether a request may touch a user field: by its keys, which are looked at only where there is one, or by a default that names somebody. */
export const peopleFor = async (
  db: Queryable,
  table: TableSchema,
  spaceId: string,
  keysOf: () => { has(key: string): boolean },
  isNew: boolean,
): Promise<Person[]> => {
  const naming = table.fields.filter((field) => fieldTypeOf(field).namesPeople === true);
  if (naming.length === 0) return [];
  const keys = keysOf();
  const needed = naming.some(
    (field) =>
      keys.has(field.id) ||
      keys.has(field.name) ||
      keys.has(field.dbFieldName) ||
      (isNew && field.options.defaultValue !== undefined),
  );
  return needed ? selectPeople(db, spaceId, table.baseId) : [];
};
