// Which spaces an organisation owns. A space comes in by an owner of it, so nobody takes one from others.
import { conflict, forbidden, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { deleteUnbacked } from '../collaborator/backing.sql.ts';
import { deleteRolesOfOrganization, selectStanding } from '../collaborator/collaborator.sql.ts';
import { deleteStrayRights } from '../collaborator/stray-rights.sql.ts';
import { lockHomes } from '../group/group.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { setSpaceOrganization } from '../space/space.sql.ts';
import { changeOrganization } from './demand-organization.ts';

interface SpacePath {
  organizationId: string;
  spaceId: string;
}

const lockBoth = (tx: Tx, { organizationId, spaceId }: SpacePath): Promise<unknown> =>
  lockHomes(tx, [
    { type: 'organization', id: organizationId },
    { type: 'space', id: spaceId },
  ]);

export const addOrganizationSpace = (context: Context, path: SpacePath): Promise<void> =>
  changeOrganization(context, path.organizationId, async (tx) => {
    const { organizationId, spaceId } = path;
    demandFeature(context, 'organizationEnable');
    await lockBoth(tx, path);
    const standing = await selectStanding(tx, context.principal.userId, { type: 'space', id: spaceId });
    if (standing === undefined || standing.spaceTrashed || standing.spaceRole === null)
      throw notFound('Space', spaceId);
    if (standing.spaceRole !== 'owner') throw forbidden('Only owners of a space can bring it into an organisation');
    if (!(await setSpaceOrganization(tx, spaceId, { from: null, to: organizationId })))
      throw conflict('This space belongs to an organisation already');
    await writeAudit(
      tx,
      doerOf(context),
      'organization.spaceAdded',
      { spaceIds: [spaceId] },
      { organizationId, spaceId },
    );
    await bumpEpochs(tx, [spaceId]);
  });

export const removeOrganizationSpace = (context: Context, path: SpacePath): Promise<void> =>
  changeOrganization(context, path.organizationId, async (tx, organization) => {
    const { organizationId, spaceId } = path;
    await lockBoth(tx, path);
    if (!(await setSpaceOrganization(tx, spaceId, { from: organization.id, to: null })))
      throw notFound('Space', spaceId);
    const place = { type: 'space', id: spaceId } as const;
    await deleteUnbacked(tx, place, await deleteRolesOfOrganization(tx, { spaceId, organizationId }));
    await deleteStrayRights(tx, place);
    await writeAudit(
      tx,
      doerOf(context),
      'organization.spaceRemoved',
      { spaceIds: [spaceId] },
      { organizationId, spaceId },
    );
    await bumpEpochs(tx, [spaceId]);
  });
