import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Asked } from '../query/resolve-query.ts';
import { groupPoints } from '../record/read/group-points.ts';
import { selectGroups } from '../record/read/group-points.sql.ts';
import { aggregate } from './get-aggregation.ts';
import { keptAnswer, levelNames } from '../record/read/kept-answer.ts';

export const getGroupPoints = (request: Unconfirmed, asked: Asked): Promise<GroupPoint[]> =>
  aggregate(request, asked, async (db, { levels, where, collapsed, deciding }, sight, context) => {
    if (levels.length === 0) return [];
    const question = { asked, fields: deciding, where, of: ['groups', levelNames(levels)] };
    const rows = await keptAnswer(context, sight, question, () => selectGroups(db, sight, levels, where));
    return groupPoints(rows, levels, collapsed).points;
  });
