import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { demandOwner } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteGroupRoles, lockPlace } from '../collaborator/collaborator.sql.ts';
import { deleteUnbacked } from '../collaborator/backing.sql.ts';
import { deleteStrayRights } from '../collaborator/stray-rights.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { closeReader } from '../sql-access/reader.ts';
import { demandFileRoom } from '../file/file-room.ts';
import { hasFiles } from '../file/file.sql.ts';
import { carryRows } from '../plan/table-rows.ts';
import { holdSpaces } from '../space/space.sql.ts';
import { updateSpaceOf } from './base.sql.ts';

export const moveBase = (context: Context, baseId: string, input: { spaceId: string }): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const held = await holdSpaces(tx, [input.spaceId]);
    if (held.length === 0) throw notFound('Space', input.spaceId);
    if (!(await lockPlace(tx, { type: 'base', id: baseId }))) throw notFound('Base', baseId);
    const stand = await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'base|delete');
    // Nobody who was let in carries it off.
    demandOwner(stand);
    await demandAccess(tx, context, { type: 'space', id: input.spaceId, trashed: false }, 'base|create');
    if (stand.spaceId === input.spaceId) return;
    await carryRows(tx, context, baseId, input.spaceId);
    await closeReader(tx, baseId);
    await updateSpaceOf(tx, baseId, input.spaceId);
    await deleteUnbacked(tx, { type: 'base', id: baseId }, await deleteGroupRoles(tx, baseId));
    await deleteStrayRights(tx, { id: baseId });
    if (await hasFiles(tx, baseId)) await demandFileRoom(tx, context, input.spaceId, 0);
    await writeAudit(
      tx,
      doerOf(context),
      'base.moved',
      { spaceIds: [stand.spaceId, input.spaceId] },
      { baseId, fromSpaceId: stand.spaceId, toSpaceId: input.spaceId },
    );
    await bumpEpochs(tx, [stand.spaceId]);
  });
