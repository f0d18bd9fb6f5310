import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeGroup, demandPlace, findGroup, findGroupOf } from './change-group.ts';
import { saveGroup } from './group.sql.ts';
import { type GroupVo, groupVo } from './group-vo.ts';

export const updateGroup = async (
  context: Context,
  { spaceId, groupId }: { spaceId: string; groupId: string },
  input: { name?: string; parentId?: string | null },
): Promise<GroupVo> => {
  demandFeature(context, 'userGroupEnable');
  await changeGroup(context, spaceId, {}, async ({ tx, groups }) => {
    const before = findGroup(groups, groupId);
    const { name = before.name, parentId = before.parentId } = input;
    if (name === before.name && parentId === before.parentId) return [];
    demandPlace(groups, { name, parentId }, before);
    await saveGroup(tx, { id: groupId, name, parentId });
    await writeAudit(tx, doerOf(context), 'group.changed', { spaceIds: [spaceId] }, { groupId, name, parentId });
    return [];
  });
  return groupVo(await findGroupOf(context, spaceId, groupId));
};
