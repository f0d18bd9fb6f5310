// POST /table/:tableId/record-template/:recordTemplateId/record
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { createRecordFromTemplate as endpoint } from '@rowhouse/contract/record-template.ts';
import { sightForUse } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedWrite } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { keyOf } from '../record/read/field-key.ts';
import {
  announceCreate,
  createdRecords,
  createNeedsTransaction,
  planCreate,
  type PlannedCreate,
  writeCreate,
  type WrittenCreate,
} from '../record/write/create-records.ts';
import { isCreatable } from '../record/write/permit-create.ts';
import type { TemplatePath } from './change-templates.ts';
import { selectTemplate } from './record-template.sql.ts';
import { fittingCells } from './template-cells.ts';

export const createRecordFromTemplate = (
  request: Unconfirmed,
  { tableId, recordTemplateId }: TemplatePath,
  { fields = {}, fieldKeyType: keyType = 'name', order }: BodyOf<typeof endpoint>,
): Promise<{ operationId: string; text: string }> =>
  guardedWrite<PlannedCreate, WrittenCreate, { operationId: string; text: string }>(request, {
    async plan(context, sight) {
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
    },
    needsTransaction: createNeedsTransaction,
    write: writeCreate,
    refuse: async () => new Stale('access'),
    answer(context, planned, written) {
      announceCreate(context, planned);
      return {
        operationId: planned.operation.publicId,
        text: `{"records":[${[...createdRecords(context, planned, written)].join('')}]}`,
      };
    },
  });
