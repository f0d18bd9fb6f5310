import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeGroup, demandPlace, findGroupOf } from './change-group.ts';
import { insertGroup } from './group.sql.ts';
import { type GroupVo, groupVo } from './group-vo.ts';

const most = 1_000;

export const createGroup = async (
  context: Context,
  spaceId: string,
  { name, parentId = null }: { name: string; parentId?: string | null },
): Promise<GroupVo> => {
  demandFeature(context, 'userGroupEnable');
  const id = context.newId('odp');
  await changeGroup(context, spaceId, {}, async ({ tx, groups }) => {
    if (groups.size >= most) throw invalid({ path: 'name', message: `A space can have ${most} groups` });
    demandPlace(groups, { name, parentId });
    await insertGroup(tx, {
      id,
      home: { type: 'space', id: spaceId },
      parentId,
      name,
      userId: context.principal.userId,
    });
    await writeAudit(tx, doerOf(context), 'group.created', { spaceIds: [spaceId] }, { groupId: id, name });
    return [];
  });
  return groupVo(await findGroupOf(context, spaceId, id));
};
