import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeGroup, findGroup } from './change-group.ts';
import { deleteGroupRow, selectMemberIds } from './group.sql.ts';

/** Also where the plan has no groups any more: what gives rights can always be taken away. */
export const deleteGroup = (
  context: Context,
  { spaceId, groupId }: { spaceId: string; groupId: string },
): Promise<void> =>
  changeGroup(context, spaceId, {}, async ({ tx, groups }) => {
    const group = findGroup(groups, groupId);
    if (group.hasChildren)
      throw invalid({ path: 'groupId', message: 'There are groups inside of this one: move or delete them first' });
    const memberIds = await selectMemberIds(tx, groupId);
    await deleteGroupRow(tx, groupId);
    const target = { groupId, name: group.name };
    await writeAudit(tx, doerOf(context), 'group.deleted', { spaceIds: [spaceId] }, target);
    return memberIds;
  });
