// The dashboards of a base copied with its tables: what their charts name goes by the ids of the copies.
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { insertDashboard, insertItems, selectDashboards, selectItemsOfBase } from './dashboard.sql.ts';

/** Ids are of one length and form: wherever one stands in the JSON of a chart, it is one. */
const withOtherIds = <T>(given: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(given).replace(/"((?:tbl|fld|viw)[0-9A-Za-z]{16})(_\w+)?"/g, (whole, id: string, rest = '') => {
      const copy = ids.get(id);
      return copy === undefined ? whole : `"${copy}${String(rest)}"`;
    }),
  ) as T;

interface Copying {
  fromBaseId: string;
  toBaseId: string;
  /** Added to the positions. */
  after: number;
  folderIds: ReadonlyMap<string, string>;
  /** Of tables, fields and views. */
  ids: ReadonlyMap<string, string>;
}

/** Shares stay with the originals. */
export const copyDashboards = async (
  tx: Tx,
  context: Context,
  { fromBaseId, toBaseId, after, folderIds, ids }: Copying,
): Promise<void> => {
  const { userId } = context.principal;
  const names = (await selectDashboards(tx, toBaseId)).map(({ name }) => name);
  const contents = new Map((await selectItemsOfBase(tx, fromBaseId)).map((one) => [one.dashboardId, one]));
  for (const { id: originalId, name: wanted, folderId, position } of await selectDashboards(tx, fromBaseId)) {
    const id = context.newId('dsh');
    const name = uniqueName(wanted, names);
    names.push(name);
    const { items = [], filters = [] } = contents.get(originalId) ?? {};
    const place = { folderId: folderIds.get(folderId ?? '') ?? null, position: after + position };
    await insertDashboard(tx, toBaseId, { id, name, ...place }, userId, withOtherIds(filters, ids));
    const copies = items.map((item) => ({
      ...item,
      id: context.newId('pli'),
      storage: withOtherIds(item.storage, ids),
    }));
    await insertItems(tx, id, copies, userId);
  }
};
