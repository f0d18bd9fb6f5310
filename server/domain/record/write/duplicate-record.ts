// POST /table/:tableId/record/:recordId/duplicate
import { notFound } from '@rowhouse/contract/error.ts';
import type { Order } from '@rowhouse/contract/record.ts';
import { sightForUse } from '../../../catalog/sight.ts';
import type { Unconfirmed } from '../../../context.ts';
import { linkedBy } from '../../cell/linked.sql.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { selectRecords } from '../read/read.sql.ts';
import { refusedRecords } from './not-permitted.ts';
import { isCreatable } from './permit-create.ts';
import { permitted, selectUnpermitted } from './permits.sql.ts';
import { planCreate } from './create-records.ts';
import { createPlanned } from './create-planned.ts';

export const duplicateRecord = (
  request: Unconfirmed,
  recordId: string,
  order: Order | undefined,
): Promise<{ operationId: string; text: string }> =>
  createPlanned(request, async (context, sight) => {
    const writable = sight.fields.filter(
      (field) =>
        !fieldTypeOf(field).isComputed &&
        !field.isUnique &&
        linkedBy(field)?.isExclusive !== true &&
        isCreatable(sight, field),
    );
    const [row] = await selectRecords(context.db, sightForUse(sight), [recordId], {
      fields: writable,
      keyType: 'id',
      format: 'json',
    });
    if (row === undefined) throw notFound('Record', recordId);
    const unpermitted = await selectUnpermitted(context.db, sight, [recordId], permitted(sight, 'copy'));
    if (unpermitted.length > 0) throw refusedRecords('copy', unpermitted, sight.rule.may?.copy ?? []);
    const { fields } = JSON.parse(`${row.json}}`) as { fields: Record<string, unknown> };
    // Typecast keeps people who have left the base from failing the copy: their cells stay empty.
    return planCreate(context, sight, { rows: [{ fields }], keyType: 'id', typecast: true, order, isCopy: true });
  });
