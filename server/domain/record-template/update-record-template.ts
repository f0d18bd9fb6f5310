import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { RecordTemplate, updateRecordTemplate as endpoint } from '@rowhouse/contract/record-template.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { Context } from '../../context.ts';
import { changeTemplates, findTemplate, type TemplatePath } from './change-templates.ts';
import { updateTemplate } from './record-template.sql.ts';
import { withGiven } from './template-cells.ts';

/** Values of fields that the caller does not see stay. */
export const updateRecordTemplate = (
  context: Context,
  { tableId, recordTemplateId }: TemplatePath,
  { name, fields = {}, fieldKeyType = 'name' }: BodyOf<typeof endpoint>,
): Promise<RecordTemplate> =>
  changeTemplates(context, tableId, async ({ context: within, tx, sight, present }) => {
    const found = findTemplate(present, recordTemplateId);
    const others = present.filter(({ id }) => id !== found.id).map((one) => one.name);
    return updateTemplate(
      tx,
      {
        id: found.id,
        name: name === undefined ? found.name : uniqueName(name, others),
        ...(await withGiven(within, sight, found, fields, fieldKeyType)),
      },
      context.principal.userId,
    );
  });
