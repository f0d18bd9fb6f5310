import { conflict, notFound } from '@rowhouse/contract/error.ts';
import type { RecordTemplate } from '@rowhouse/contract/record-template.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { Context } from '../../context.ts';
import { changeTemplates, type TemplatePath } from './change-templates.ts';
import { maxTemplates } from './create-record-template.ts';
import { selectDeleted, unmarkDeleted } from './record-template.sql.ts';

export const restoreRecordTemplate = (
  context: Context,
  { tableId, recordTemplateId }: TemplatePath,
): Promise<RecordTemplate> =>
  changeTemplates(context, tableId, async ({ tx, present }) => {
    const deleted = await selectDeleted(tx, tableId, recordTemplateId);
    if (deleted === undefined) throw notFound('Deleted record template', recordTemplateId.slice(0, 50));
    if (present.length >= maxTemplates)
      throw conflict(`A table has at most ${maxTemplates} record templates: delete another first`);
    const name = uniqueName(
      deleted.name,
      present.map((one) => one.name),
    );
    await unmarkDeleted(tx, { id: deleted.id, name });
    return { ...deleted, name };
  });
