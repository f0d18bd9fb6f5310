// What every change of groups has in common, by people and by providers: members are spread to the groups above, what rested on a role that is
// gone ends, and the people concerned are decided about again.
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { deleteUnbacked } from '../collaborator/backing.sql.ts';
import { deleteStrayRights } from '../collaborator/stray-rights.sql.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import { selectSpacesWithRoles, spreadMembers } from './group.sql.ts';

/** `change` answers who came or went. `spaceIds`: where the groups may have roles; all are locked. */
export const settleGroups = async (
  tx: Tx,
  environment: Pick<Environment, 'plans' | 'now'>,
  { homeId, spaceIds }: { homeId: string; spaceIds: readonly string[] },
  change: () => Promise<readonly string[]>,
): Promise<void> => {
  // An organisation can have a thousand spaces, and its departments roles in three of them.
  const withRoles = spaceIds.includes(homeId) ? spaceIds : await selectSpacesWithRoles(tx, homeId, spaceIds);
  const before = new Map<string, number>();
  for (const id of withRoles) before.set(id, await seatsBefore(tx, { type: 'space', id }));
  const concerned = new Set(await change());
  for (const userId of await spreadMembers(tx, homeId)) concerned.add(userId);
  if (concerned.size > 0) {
    for (const id of withRoles) {
      const place = { type: 'space', id } as const;
      await deleteUnbacked(tx, place, [...concerned]);
      await deleteStrayRights(tx, place);
      await demandSeats(tx, environment, place, before.get(id) as number);
    }
  }
  // Also for a new name alone, which rules may compare with. Of the space, not of the people: nobody makes others begin their writes again elsewhere by putting them into a group.
  await bumpEpochs(tx, spaceIds);
};
