import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { Context } from '../../context.ts';
import type { Asked } from '../query/plan.ts';
import { groupPoints } from '../record/group-points.ts';
import { selectGroups } from '../record/group-points.sql.ts';
import { aggregate } from './frame.ts';

export const getGroupPoints = (context: Context, asked: Asked): Promise<GroupPoint[]> =>
  aggregate(context, asked, async ({ levels, where, collapsed }, table) =>
    levels.length === 0 ? [] : groupPoints(await selectGroups(context.db, table, levels, where), levels, collapsed).points,
  );
