// A field or a view that was deleted comes back to its table.
import { notFound } from '@rowhouse/contract/error.ts';
import { demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectDeletedField } from '../field/deleted-field.sql.ts';
import { restoreField } from '../field/restore-field.ts';
import { oldestVisible } from '../history/retention.ts';
import { selectDeletedView } from '../view/deleted-view.sql.ts';
import { restoreView } from '../view/restore-view.ts';
import { atTable, seesDeletedView } from './list-table-trash.ts';
import { tailOf } from './show-trash.ts';

interface TablePart {
  kind: 'field' | 'view';
  id: string;
  tableId: string;
  deletedTime: string;
  deletedBy: string;
}

export const findTablePart = async ({ db }: Pick<Context, 'db'>, trashId: string): Promise<TablePart | undefined> => {
  const field = await selectDeletedField(db, `fld${tailOf(trashId)}`);
  if (field !== undefined) return { kind: 'field', ...field };
  const view = await selectDeletedView(db, `viw${tailOf(trashId)}`);
  return view === undefined ? undefined : { kind: 'view', ...view };
};

export const restoreTablePart = async (
  context: Context,
  trashId: string,
  { kind, id, tableId, deletedTime, deletedBy }: TablePart,
): Promise<void> => {
  const missing = notFound('Trash item', trashId);
  const there = await atTable(context, tableId, 'table|trash_update', missing);
  if (kind === 'view' && !seesDeletedView(there, { id, deletedBy })) throw missing;
  demand(there.access, `${kind}|create`, tableId);
  const oldest = await oldestVisible(context.db, there);
  if (oldest !== null && Date.parse(deletedTime) < oldest.getTime()) throw missing;
  await (kind === 'field' ? restoreField : restoreView)(there, tableId, id, missing);
  context.live.changed(there.access.baseId as string);
};
