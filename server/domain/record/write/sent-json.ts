// The answer to a write for callers who may not read records: the id of each, what they sent, and what they may do with it. Nothing of it comes from the database, so
// there is nothing to take out: not the title of a record that they linked, nor a cell that follows from what they wrote.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Access } from '../../../catalog/access.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { permissionsJson } from '../read/json.sql.ts';

/** JSON text. `sent`: by the keys that the request used; empty cells are left out, as everywhere. */
export const sentJson = (
  sight: Sight,
  access: Access,
  keyType: FieldKeyType,
  id: string,
  sent: Readonly<Record<string, unknown>> = {},
): string =>
  `{"id":${JSON.stringify(id)},"fields":${JSON.stringify(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)))}${permissionsJson(sight, access, keyType)}`;
