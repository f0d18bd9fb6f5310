import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { allows } from '@rowhouse/contract/permission.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { closeReader } from '../plan/reader.ts';
import { carryRows } from '../plan/table-rows.ts';
import { holdSpaces } from '../space/space.sql.ts';
import { updateSpaceOf } from './base.sql.ts';

export const moveBase = (context: Context, baseId: string, input: { spaceId: string }): Promise<void> =>
  context.db.transaction(async (tx) => {
    const held = await holdSpaces(tx, [input.spaceId]);
    if (held.length === 0) throw notFound('Space', input.spaceId);
    if (!(await lockPlace(tx, { type: 'base', id: baseId }))) throw notFound('Base', baseId);
    const stand = await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'base|delete');
    // Someone who was let into a single base must not carry it off.
    if (stand.spaceRole === null || !allows(stand.spaceRole, 'base|delete')) {
      throw forbidden('Moving a base takes the role owner or creator on the space it is in');
    }
    await demandAccess(tx, context, { type: 'space', id: input.spaceId, trashed: false }, 'base|create');
    if (stand.spaceId === input.spaceId) return;
    await carryRows(tx, context, baseId, input.spaceId);
    await closeReader(tx, baseId);
    await updateSpaceOf(tx, baseId, input.spaceId);
    await bumpEpoch(tx);
  });
