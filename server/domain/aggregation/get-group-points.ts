import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Asked } from '../query/resolve-query.ts';
import { groupPoints } from '../record/read/group-points.ts';
import { selectGroups } from '../record/read/group-points.sql.ts';
import { aggregate } from './get-aggregation.ts';

export const getGroupPoints = (request: Unconfirmed, asked: Asked): Promise<GroupPoint[]> =>
  aggregate(request, asked, async (db, { levels, where, collapsed }, sight) =>
    levels.length === 0 ? [] : groupPoints(await selectGroups(db, sight, levels, where), levels, collapsed).points,
  );
