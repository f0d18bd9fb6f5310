// The headers of a grouped view, depth first, as the tree of its values.
import { createHash } from 'node:crypto';
import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { selectGroups } from './group-points.sql.ts';

/** Stable for a field and the values above it; a numeric string as clients of Teable expect. */
const groupId = (path: readonly unknown[]): string => BigInt.asUintN(53, createHash('sha1').update(JSON.stringify(path)).digest().readBigUInt64BE()).toString();

export const groupPointsOf = async (db: Queryable, table: TableSchema, view: ViewSchema | undefined): Promise<GroupPoint[]> => {
  const levels = (view?.group ?? []).slice(0, 3).flatMap(({ fieldId, order }) => {
    const field = table.byId.get(fieldId);
    return field === undefined ? [] : [{ field, order }];
  });
  if (levels.length === 0) return [];
  const points: GroupPoint[] = [];
  let last: unknown[] = [];
  for (const { values } of await selectGroups(db, table, levels)) {
    const same = values.findIndex((value, depth) => JSON.stringify(value) !== JSON.stringify(last[depth]) || depth >= last.length);
    for (let depth = Math.max(0, same); depth < values.length; depth += 1) {
      const path = levels.slice(0, depth + 1).flatMap(({ field }, at) => [field.id, values[at] ?? null]);
      points.push({ id: groupId(path), type: 0, depth, value: values[depth] ?? null, isCollapsed: false });
    }
    last = values;
  }
  return points;
};
