// PATCH /import/:baseId/:tableId
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { type Issue, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { importRecords as endpoint } from '@rowhouse/contract/import.ts';
import { demand } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { TableAccess } from '../../pipeline/pipeline.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { addJob } from '../../work/job.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { type ImportPayload, importKind } from './import-job.ts';
import { findSource } from './source.ts';

const fillable =
  ({ table, byId, rule: { may } }: Sight) =>
  (fieldId: string): FieldSchema | undefined =>
    byId.get(fieldId) ??
    (may?.create.some(({ fields }) => fields?.has(fieldId) === true) === true ? table.byId.get(fieldId) : undefined);

export const importRecords = async (
  context: Context,
  baseIdAsked: string,
  { attachmentUrl, fileType, insertConfig, dateOrder }: BodyOf<typeof endpoint>,
): Promise<string> => {
  const { baseId, tableId } = context.access as TableAccess;
  if (baseIdAsked !== baseId) throw notFound('Base', baseIdAsked);
  demand(context.access, 'record|create', tableId);
  const file = await findSource(context, attachmentUrl, fileType);
  const table = await presentTable(context, baseId, tableId);
  // What only a grant to create names can be filled in, too.
  const known = fillable(sightOf(context, table));
  const issues: Issue[] = [];
  const columns: Record<string, number> = {};
  for (const [fieldId, column] of Object.entries(insertConfig.sourceColumnMap)) {
    const field = known(fieldId);
    const path = `insertConfig.sourceColumnMap.${fieldId}`;
    if (field === undefined)
      issues.push({ path, message: `The table has no field ${fieldId}`, expected: 'the id of a field' });
    else if (fieldTypeOf(field.type).isComputed)
      issues.push({
        path,
        message: `"${field.name}" is computed and cannot be written`,
        expected: 'a field that people write',
      });
    else if (column !== null) columns[fieldId] = column;
  }
  const { matchFieldIds = [] } = insertConfig;
  matchFieldIds.forEach((fieldId, at) => {
    if (columns[fieldId] === undefined)
      issues.push({
        path: `insertConfig.matchFieldIds[${at}]`,
        message: `No column of the file goes into ${known(fieldId)?.name ?? fieldId}`,
        expected: 'a field of sourceColumnMap',
      });
  });
  if (matchFieldIds.length > 0) demand(context.access, 'record|update', tableId);
  if (issues.length > 0) throw invalid(issues.slice(0, 100));
  const { userId, tokenId, clientId } = context.principal;
  const payload: ImportPayload = {
    baseId,
    tableId,
    token: file.token,
    fileType,
    sheet: insertConfig.sourceWorkSheetKey,
    skipRows: insertConfig.headerRow ?? (insertConfig.excludeFirstRow ? 1 : 0),
    columns,
    ...(matchFieldIds.length === 0 ? {} : { matchFieldIds }),
    actions: ['table|import', 'record|create', ...(matchFieldIds.length === 0 ? [] : ['record|update' as const])],
    by: { userId, tokenId, clientId },
    ...(dateOrder === undefined ? {} : { dateOrder }),
  };
  const jobId = await context.db.transaction(async (tx) => {
    const added = await addJob(tx, { kind: importKind, baseId, createdBy: userId, payload });
    await writeAudit(tx, doerOf(context), 'table.imported', { baseIds: [baseId] }, { baseId, tableIds: [tableId] });
    return added;
  });
  context.work.wake();
  return jobId;
};
