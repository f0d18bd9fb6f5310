import { notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { type Base, selectBase } from '../base/base.sql.ts';
import { createBaseIn } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { copyTable } from './copy-table.ts';
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
    await lockBase(tx, fromBaseId);
    // In the one order in which all take them, before they are copied in the order they are shown in.
    await lockSchemas(tx, fromBaseId);
    let copied = 0;
    for (const table of await selectTables(tx, fromBaseId)) {
      copied += await copyTable(tx, context, { baseId: fromBaseId, tableId: table.id }, { baseId: copy.id, original: table, withRecords });
    }
    await claimCopies(tx, context, copy.id, copied);
    await writeAudit(tx, doerOf(context), 'base.copied', { spaceIds: [spaceId], baseIds: [fromBaseId] }, { baseId: fromBaseId, copyId: copy.id, toSpaceId: spaceId, withRecords });
    return copy;
  });
