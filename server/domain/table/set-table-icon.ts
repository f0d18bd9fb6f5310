import type { Context } from '../../context.ts';
import { demandPlace, type TablePlace } from './find-table.ts';
import { updateTable } from './table.sql.ts';

export const setTableIcon = async (context: Context, place: TablePlace, icon: string | null): Promise<void> => {
  demandPlace(context, place);
  await updateTable(context.db, place.tableId, { icon });
};
