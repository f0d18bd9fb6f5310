// The tables of a base that are there for the caller, as they are listed.
import type { Context } from '../../context.ts';
import { selectViewIds, type TableRow } from './table.sql.ts';

/** The first view that is there for the caller. */
const withSeenView = async ({ db, access }: Context, row: TableRow): Promise<TableRow> => {
  const views = access.rights.bound?.views(row.id) ?? null;
  if (views === null || (row.defaultViewId !== null && views.has(row.defaultViewId))) return row;
  const [first = null] = (await selectViewIds(db, row.id)).filter((id) => views.has(id));
  return { ...row, defaultViewId: first };
};

export const seenTables = async (context: Context, rows: readonly TableRow[]): Promise<TableRow[]> => {
  const { rights } = context.access;
  if (rights.bound === undefined) return [...rows];
  return Promise.all(rows.filter(({ id }) => rights.of(id) !== null).map((row) => withSeenView(context, row)));
};
