// POST /table/:tableId/record-template/:recordTemplateId/record
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { createRecordFromTemplate as endpoint } from '@rowhouse/contract/record-template.ts';
import { sightForUse } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { keyOf } from '../record/read/field-key.ts';
import { planCreate } from '../record/write/create-records.ts';
import { createPlanned } from '../record/write/create-planned.ts';
import { isCreatable } from '../record/write/permit-create.ts';
import type { TemplatePath } from './change-templates.ts';
import { selectTemplate } from './record-template.sql.ts';
import { fittingCells } from './template-cells.ts';

export const createRecordFromTemplate = (
  request: Unconfirmed,
  { tableId, recordTemplateId }: TemplatePath,
  { fields = {}, fieldKeyType: keyType = 'name', order }: BodyOf<typeof endpoint>,
): Promise<{ operationId: string; text: string }> =>
  createPlanned(request, async (context, sight) => {
    const template = await selectTemplate(context.db, tableId, recordTemplateId);
    if (template === undefined) throw notFound('Record template', recordTemplateId.slice(0, 50));
    const [cells = {}] = await fittingCells(context, sightForUse(sight), [template]);
    const own = Object.fromEntries(
      sight.fields.flatMap((field) =>
        field.id in cells && isCreatable(sight, field) ? [[keyOf(field, keyType), cells[field.id]]] : [],
      ),
    );
    // A token that reads no cells does not read them here: its answer has the id of the record.
    const rows = [{ fields: { ...own, ...fields } }];
    return planCreate(context, sight, { rows, keyType, typecast: false, order, isCopy: true });
  });
