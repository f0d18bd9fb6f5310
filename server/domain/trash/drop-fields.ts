// Fields that leave the trash for good: when somebody empties it, and when the plan does not keep them any more.
import { hiddenColumnName, lockSchema } from '../../catalog/table.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import { dropColumn } from '../field/column.sql.ts';
import { type ExpiredField, selectFieldsToDrop, selectSpacesWithDeletedFields, takeDeletedField } from '../field/deleted-field.sql.ts';
import { fieldTypeOf } from '../field/types.ts';
import { removalLimit } from '../history/retention.ts';

/** Those that are restored meanwhile are left alone. */
const dropFields = async ({ db }: Pick<Services, 'db'>, fields: readonly ExpiredField[]): Promise<void> => {
  for (const { id, baseId, tableId } of fields) {
    await db.transaction(async (tx) => {
      await lockSchema(tx, baseId, tableId);
      const gone = await takeDeletedField(tx, tableId, id);
      if (gone !== undefined && fieldTypeOf(gone.field.type).column !== null) await dropColumn(tx, await loadTable(tx, baseId, tableId), hiddenColumnName(id));
    });
  }
};

export const dropFieldsOf = async (services: Pick<Services, 'db'>, tableId: string): Promise<void> => dropFields(services, await selectFieldsToDrop(services.db, { tableId }));

export const dropExpiredFields = async (services: Services): Promise<void> => {
  for (const spaceId of await selectSpacesWithDeletedFields(services.db)) {
    const before = await removalLimit(services, spaceId);
    if (before !== null) await dropFields(services, await selectFieldsToDrop(services.db, { spaceId, before }));
  }
};
