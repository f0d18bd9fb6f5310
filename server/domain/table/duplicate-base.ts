import { notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { type Base, selectBase } from '../base/base.sql.ts';
import { createBaseIn } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { claimCopiedFiles } from '../file/copy-files.ts';
import { selectRelated } from '../../catalog/table.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { copyLinks, fillCopies, type OtherIds } from './copied-links.ts';
import { type CopiedTable, copyTable } from './copy-table.ts';
import { lockBase } from './find-table.ts';
import { selectTables } from './table.sql.ts';

interface Copying {
  fromBaseId: string;
  spaceId: string;
  withRecords?: boolean;
  name?: string;
}

/** In one transaction: the copy is there whole, or not at all. */
export const duplicateBase = (context: Context, input: Copying): Promise<Base> =>
  context.db.transaction(async (tx) => {
    const { fromBaseId, spaceId, withRecords = false } = input;
    const from = { type: 'base', id: fromBaseId, trashed: false } as const;
    for (const action of ['base|read', 'table|read', ...(withRecords ? (['record|read'] as const) : [])] as const) {
      await demandAccess(tx, context, from, action);
    }
    const original = await selectBase(tx, context.principal.userId, fromBaseId);
    if (original === undefined) throw notFound('Base', fromBaseId);
    await demandBytesIn(tx, context, spaceId);
    const copy = await createBaseIn(tx, context, { spaceId, name: input.name ?? `${original.name} (Copy)`, icon: original.icon });
    // Nobody writes links while they are copied.
    await closeGate(tx, fromBaseId);
    await lockBase(tx, fromBaseId);
    // In the one order in which all take them, before they are copied in the order they are shown in.
    await lockSchemas(tx, fromBaseId);
    const tables = await selectTables(tx, fromBaseId);
    const fieldIds = (await selectRelated(tx, tables.map(({ id }) => id))).flatMap(({ fields }) => fields.map(({ id }) => id));
    const other: OtherIds = { baseId: copy.id, ids: new Map([...tables.map(({ id }) => [id, context.newId('tbl')] as const), ...fieldIds.map((id) => [id, context.newId('fld')] as const)]) };
    const copies: CopiedTable[] = [];
    for (const table of tables) copies.push(await copyTable(tx, context, { baseId: fromBaseId, tableId: table.id }, { baseId: copy.id, original: table, withRecords, other }));
    const seen = new Set<string>();
    for (const { from: source, tableId, fields } of copies) await copyLinks(tx, source, await loadTable(tx, copy.id, tableId), fields, null, withRecords, seen);
    if (withRecords) for (const { tableId } of copies) await fillCopies(tx, await loadTable(tx, copy.id, tableId), null);
    await claimCopies(tx, context, copy.id, copies.reduce((sum, { records }) => sum + records, 0));
    await claimCopiedFiles(tx, context, { baseId: copy.id, spaceId }, fromBaseId);
    await writeAudit(tx, doerOf(context), 'base.copied', { spaceIds: [spaceId], baseIds: [fromBaseId] }, { baseId: fromBaseId, copyId: copy.id, toSpaceId: spaceId, withRecords });
    return copy;
  });
