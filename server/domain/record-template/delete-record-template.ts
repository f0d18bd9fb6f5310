import type { Context } from '../../context.ts';
import { changeTemplates, findTemplate, type TemplatePath } from './change-templates.ts';
import { markDeleted } from './record-template.sql.ts';

/** Views that begin with it keep its id, for when it comes back. */
export const deleteRecordTemplate = async (
  context: Context,
  { tableId, recordTemplateId }: TemplatePath,
): Promise<void> => {
  await changeTemplates(context, tableId, async ({ tx, present }) => {
    findTemplate(present, recordTemplateId);
    await markDeleted(tx, tableId, recordTemplateId);
    return undefined;
  });
};
