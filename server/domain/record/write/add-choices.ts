// Adds the select choices that a typecast asks for, inside the transaction of the write that needs them.
import { Stale } from '../../../pipeline/stale.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../../catalog/table.ts';
import { bumpQuietly, bumpVersion, lockSchemasOf } from '../../../catalog/table.sql.ts';
import type { Queryable } from '../../../db/db.ts';
import { choicesOf } from '../../cell/kind/choice.sql.ts';
import { updateOptions } from '../../field/field.sql.ts';
import type { NewChoices } from './write.ts';
import { invalid } from '@rowhouse/contract/error.ts';

const maxChoices = 5_000;

export const addChoices = async (tx: Queryable, table: TableSchema, added: NewChoices): Promise<TableSchema> => {
  await lockSchemasOf(tx, table.baseId, [...table.related.keys()]);
  const present = await loadTable(tx, table.baseId, table.id);
  // Somebody changed the schema while the cells were read: read them again.
  if (present.version !== table.version) throw new Stale('schema');
  for (const [field, choices] of added) {
    const all = [...choicesOf(field.options), ...choices.values()];
    if (all.length > maxChoices)
      throw invalid({
        path: field.name,
        message: `The field would have ${all.length} choices; at most ${maxChoices} are allowed`,
      });
    await updateOptions(tx, (field as FieldSchema).id, { ...field.options, choices: all });
  }
  await bumpVersion(tx, table.baseId, table.id);
  await bumpQuietly(
    tx,
    table.baseId,
    [...table.related.keys()].filter((id) => id !== table.id),
  );
  return loadTable(tx, table.baseId, table.id);
};
