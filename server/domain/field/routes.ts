import * as contract from '@rowhouse/contract/field.ts';
import * as plan from '@rowhouse/contract/field-plan.ts';
import * as integrity from '@rowhouse/contract/integrity.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { checkIntegrity, fixIntegrity } from './check-integrity.ts';
import { convertField } from './convert-field.ts';
import { createField } from './create-field.ts';
import { deleteFields } from './delete-fields.ts';
import { duplicateField } from './duplicate-field.ts';
import { getField } from './get-field.ts';
import { listFields } from './list-fields.ts';
import { estimateConversion, estimateCreation, estimateField } from './estimate-change.ts';
import { updateField } from './update-field.ts';

export const fieldRoutes: Route[] = [
  route(contract.createField, (context, { params, body }) => createField(context, params.tableId, body)),
  route(contract.listFields, (context, { params, query }) => listFields(context, params.tableId, query)),
  route(contract.getField, (context, { params }) => getField(context, params.tableId, params.fieldId)),
  route(contract.updateField, (context, { params, body }) =>
    updateField(context, params.tableId, params.fieldId, body),
  ),
  route(contract.convertField, (context, { params, body }) =>
    convertField(context, params.tableId, params.fieldId, body),
  ),
  route(contract.duplicateField, (context, { params, body }) =>
    duplicateField(context, params.tableId, params.fieldId, body),
  ),
  route(contract.deleteField, (context, { params }) => deleteFields(context, params.tableId, [params.fieldId])),
  route(contract.deleteFields, (context, { params, query }) => deleteFields(context, params.tableId, query.fieldIds)),
  route(plan.planField, (context, { params }) => estimateField(context, params.tableId, params.fieldId)),
  route(plan.planFieldCreate, (context, { params, query, body }) =>
    estimateCreation(context, params.tableId, body, query.recordId),
  ),
  route(plan.planFieldConvert, (context, { params, query, body }) =>
    estimateConversion(context, params.fieldId, body, query.recordId),
  ),
  route(plan.planFieldDelete, (context, { params }) => estimateField(context, params.tableId, params.fieldId)),
  route(integrity.checkIntegrity, (context, { query }) => checkIntegrity(context, query.tableId)),
  route(integrity.fixIntegrity, (context, { query }) => fixIntegrity(context, query.tableId)),
];
