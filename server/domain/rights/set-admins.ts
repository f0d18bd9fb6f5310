import { invalid, type Issue } from '@rowhouse/contract/error.ts';
import { allows } from '@rowhouse/contract/permission.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { selectCandidatesById } from '../collaborator/collaborator.sql.ts';
import { changeMatrix, configure } from './change-matrix.ts';
import { replaceAdmins } from './matrix.sql.ts';
import { selectStandings } from './members.sql.ts';
import { demandManaged } from './set-status.ts';

export const setAuthorityMatrixAdmins = (
  context: Context,
  baseId: string,
  input: { userIds: readonly string[] | null },
): Promise<void> =>
  changeMatrix(context, baseId, async ({ tx, stand, matrix }) => {
    const userIds = [...new Set(input.userIds)];
    const place = { type: 'base', id: baseId } as const;
    const known = new Map((await selectCandidatesById(tx, place, userIds)).map((person) => [person.userId, person]));
    const roles = await selectStandings(tx, baseId, userIds);
    const issues = userIds.flatMap((id, at): Issue[] => {
      const person = known.get(id);
      const path = `userIds[${at}]`;
      // One who is there already may stay: the role on the base can be given back.
      if (matrix.adminIds.includes(id)) return [];
      if (person === undefined || person.deactivated) return [{ path, message: `There is no user ${id}` }];
      const role = roles.get(id);
      return role !== undefined && allows(role, configure)
        ? []
        : [{ path, message: `User ${id} needs the role creator on this base to administer its rights` }];
    });
    if (issues.length > 0) throw invalid(issues);
    await replaceAdmins(tx, baseId, userIds);
    if (matrix.enabledTime !== null) await demandManaged(tx, stand.spaceId, { baseId, adminIds: userIds });
    await writeAudit(tx, doerOf(context), 'rights.adminsSet', { baseIds: [baseId] }, { baseId, userIds });
  });
