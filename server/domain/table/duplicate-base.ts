import { demandUnbound } from '../../catalog/access.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { type Base, selectBase } from '../base/base.sql.ts';
import { createBaseIn } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { claimCopiedFiles } from '../file/copy-files.ts';
import { copyTables } from './copy-tables.ts';

interface Copying {
  fromBaseId: string;
  spaceId: string;
  withRecords?: boolean;
  name?: string;
}

/** In one transaction: the copy is there whole, or not at all. */
export const duplicateBase = (context: Context, input: Copying): Promise<Base> =>
  retriedTransaction(context.db, async (tx) => {
    const { fromBaseId, spaceId, withRecords = false } = input;
    const from = { type: 'base', id: fromBaseId, trashed: false } as const;
    for (const action of ['base|read', 'table|read', ...(withRecords ? (['record|read'] as const) : [])] as const) {
      demandUnbound(await demandAccess(tx, context, from, action), 'a copy');
    }
    const original = await selectBase(tx, context.principal.userId, fromBaseId);
    if (original === undefined) throw notFound('Base', fromBaseId);
    await demandBytesIn(tx, context, spaceId);
    const copy = await createBaseIn(tx, context, {
      spaceId,
      name: input.name ?? `${original.name} (Copy)`,
      icon: original.icon,
    });
    const records = await copyTables(tx, context, fromBaseId, copy.id, { withRecords });
    await claimCopies(tx, context, copy.id, records);
    await claimCopiedFiles(tx, context, { baseId: copy.id, spaceId }, fromBaseId);
    await writeAudit(
      tx,
      doerOf(context),
      'base.copied',
      { spaceIds: [spaceId], baseIds: [fromBaseId] },
      { baseId: fromBaseId, copyId: copy.id, toSpaceId: spaceId, withRecords },
    );
    return copy;
  });
