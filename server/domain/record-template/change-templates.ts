// The frame of every change to the templates of a table: one after the other, and everyone who has the table open is told.
import { notFound } from '@rowhouse/contract/error.ts';
import type { RecordTemplate } from '@rowhouse/contract/record-template.ts';
import { sightOf, type Sight } from '../../catalog/sight.ts';
import { bumpVersion, lockSchema } from '../../catalog/table.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { selectTemplates, type TemplateRow } from './record-template.sql.ts';
import { templateVo } from './template-cells.ts';

export interface TemplatePath {
  tableId: string;
  recordTemplateId: string;
}

interface Changing {
  context: Context;
  tx: Tx;
  sight: Sight;
  present: readonly TemplateRow[];
}

export const findTemplate = (present: readonly TemplateRow[], id: string): TemplateRow => {
  const found = present.find((one) => one.id === id);
  if (found === undefined) throw notFound('Record template', id.slice(0, 50));
  return found;
};

/** Answers the template that `change` leaves, as the caller sees it. */
export const changeTemplates = async <T extends TemplateRow | undefined>(
  context: Context,
  tableId: string,
  change: (changing: Changing) => Promise<T>,
): Promise<T extends TemplateRow ? RecordTemplate : undefined> => {
  const baseId = context.access.baseId as string;
  const done = await retriedTransaction(context.db, async (tx) => {
    await lockSchema(tx, baseId, tableId);
    const within: Context = { ...context, db: tx };
    const sight = sightOf(context, await loadTable(tx, baseId, tableId));
    const left = await change({ context: within, tx, sight, present: await selectTemplates(tx, tableId) });
    await bumpVersion(tx, baseId, tableId, { kind: 'view', actor: context.principal.userId });
    return left === undefined ? undefined : (await templateVo(within, sight, [left]))[0];
  });
  context.catalog.forget(tableId);
  return done as T extends TemplateRow ? RecordTemplate : undefined;
};
