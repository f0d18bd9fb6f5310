// A table that goes for good: links to it become text, with the titles that they show, and keys that lead to it go.
import { bumpVersion } from '../../catalog/table.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { singleLineText } from '../cell/type/text.ts';
import { updateField } from './field.sql.ts';
import { settleFormulas } from './settle-formulas.ts';
import { dropKeysBetween, selectLinksTo, titlesAsText } from './unlink-table.sql.ts';

/** Before the table is removed. The gate is closed. */
export const unlinkTable = async (tx: Tx, baseId: string, tableId: string): Promise<void> => {
  const links = await selectLinksTo(tx, baseId, tableId);
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
