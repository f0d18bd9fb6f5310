import type { RecordTemplate } from '@rowhouse/contract/record-template.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { selectTemplates } from './record-template.sql.ts';
import { templateVo } from './template-cells.ts';

export const listRecordTemplates = async (context: Context, tableId: string): Promise<RecordTemplate[]> => {
  const { db, access } = context;
  const sight = sightOf(context, await loadTable(db, access.baseId as string, tableId));
  return templateVo(context, sight, await selectTemplates(db, tableId));
};
