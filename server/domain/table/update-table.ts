import type { Context } from '../../context.ts';
import { demandInBase, type TablePath } from './find-table.ts';
import { updateTable } from './table.sql.ts';

export const describeTable = async (context: Context, path: TablePath, description: string | null): Promise<void> => {
  demandInBase(context, path);
  await updateTable(context.db, path.tableId, { description });
};

export const setTableIcon = async (context: Context, path: TablePath, icon: string | null): Promise<void> => {
  demandInBase(context, path);
  await updateTable(context.db, path.tableId, { icon });
};
