// A table that goes for good: links to it become text, with the titles that they show, and keys that lead to it go.
import { bumpVersion } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { singleLineText } from '../cell/type/text.ts';
import { fillOnly, lockTables } from '../computed/refill.sql.ts';
import { decideOld } from './decide.ts';
import { updateField } from './field.sql.ts';
import { settleFormulas } from './settle-formulas.ts';
import { dropKeysBetween, selectLinksTo, setInSight, titlesAsText } from './unlink-table.sql.ts';

/** Links whose cells a job had not filled when the table went to the trash: what they show is worked out while it is still there. */
const fillUnfilled = async (
  tx: Tx,
  baseId: string,
  tableId: string,
  links: readonly { tableId: string; field: FieldSchema }[],
): Promise<void> => {
  const unfilled = links.filter(({ field }) => field.computed?.state === 'settling');
  if (unfilled.length === 0) return;
  await setInSight(tx, tableId, true);
  for (const home of new Set(unfilled.map((link) => link.tableId))) {
    const table = await loadTable(tx, baseId, home);
    await lockTables(tx, [table]);
    await fillOnly(tx, table, new Set(unfilled.filter((link) => link.tableId === home).map(({ field }) => field.id)));
  }
  await setInSight(tx, tableId, false);
};

/** Before the table, which is in the trash, is removed. The gate is closed. */
export const unlinkTable = async (tx: Tx, baseId: string, tableId: string): Promise<void> => {
  await decideOld(tx, baseId);
  const links = await selectLinksTo(tx, baseId, tableId);
  await fillUnfilled(tx, baseId, tableId, links);
  await dropKeysBetween(tx, baseId, tableId);
  for (const home of new Set(links.map((link) => link.tableId))) {
    const before = await loadTable(tx, baseId, home);
    for (const { field } of links.filter((link) => link.tableId === home)) {
      await titlesAsText(tx, baseId, before.dbTableName, field.dbFieldName);
      await updateField(tx, { ...field, type: singleLineText.type, options: {}, computed: null }, true);
    }
    await settleFormulas(tx, before, await loadTable(tx, baseId, home));
    await bumpVersion(tx, baseId, home);
  }
};
