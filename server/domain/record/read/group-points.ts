// Group points: the groups as a list, depth first, a header for each and behind the innermost the number of records.
import { createHash } from 'node:crypto';
import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { ViewSchema } from '../../../catalog/table.ts';
import type { Queryable } from '../../../db/db.ts';
import { all, viewFilterSql } from '../../query/filter.sql.ts';
import type { Level } from '../../query/group-key.sql.ts';
import { row as recordRow, viewLevels } from '../../query/resolve-query.ts';
import { amongSql, type GroupRow, selectGroups } from './group-points.sql.ts';

/** Stable for a field and the values above it; a numeric string as clients of Teable expect. */
const groupId = (path: readonly unknown[]): string =>
  BigInt.asUintN(53, createHash('sha1').update(JSON.stringify(path)).digest().readBigUInt64BE()).toString();

/** People are known by name and id: the rest of the cell may differ between records of one group. */
const identityOf = (level: Level, row: Pick<GroupRow, 'values' | 'keys'>, depth: number): unknown =>
  level.sample !== null && level.keys.length > 1 ? row.keys[depth] : (row.values[depth] ?? null);

/** The id of the group that a row belongs to, per depth. */
export const groupIds = (levels: readonly Level[], row: Pick<GroupRow, 'values' | 'keys'>): string[] => {
  const path: unknown[] = [];
  return levels.map((level, depth) => {
    path.push(level.field.id, identityOf(level, row, depth));
    return groupId(path);
  });
};

export interface Grouped {
  points: GroupPoint[];
  refs: { id: string; depth: number }[];
  /** Keys of the collapsed groups that exist, outermost first. */
  collapsedPaths: (string | null)[][][];
}

export const groupPoints = (
  rows: readonly GroupRow[],
  levels: readonly Level[],
  collapsed: ReadonlySet<string>,
): Grouped => {
  const grouped: Grouped = { points: [], refs: [], collapsedPaths: [] };
  let last: string[] = [];
  for (const row of rows) {
    const ids = groupIds(levels, row);
    // The depth from which on this row is hidden by a collapsed header above.
    let hiddenFrom = ids.length + 1;
    ids.forEach((id, depth) => {
      const isNew = ids.slice(0, depth + 1).some((own, at) => own !== last[at]);
      const isCollapsed = collapsed.has(id);
      if (isNew) {
        grouped.refs.push({ id, depth });
        if (depth < hiddenFrom) {
          grouped.points.push({ id, type: 0, depth, value: row.values[depth] ?? null, isCollapsed });
          if (isCollapsed) grouped.collapsedPaths.push(row.keys.slice(0, depth + 1));
        }
      }
      if (isCollapsed && depth < hiddenFrom) hiddenFrom = depth + 1;
    });
    if (hiddenFrom > ids.length) grouped.points.push({ type: 1, count: row.count });
    last = ids;
  }
  const counted = rows.reduce((sum, { count }) => sum + count, 0);
  const total = rows[0]?.total ?? 0;
  // There were more groups than one answer holds.
  if (total > counted)
    grouped.points.push(
      { id: 'unknown', type: 0, depth: 0, value: 'Unknown', isCollapsed: false },
      { type: 1, count: total - counted },
    );
  return grouped;
};

/**
 * The headers of those groups of a view that these records stand in, without counts. It reads these records alone: to group
 * the whole table for every create took 104 instead of 32 ms at 40,000 records.
 */
export const groupHeadersOf = async (
  db: Queryable,
  sight: Sight,
  view: ViewSchema,
  recordIds: readonly string[],
): Promise<GroupPoint[]> => {
  const levels = viewLevels(sight, view, recordRow);
  if (levels.length === 0) return [];
  const where = all([amongSql(recordIds), viewFilterSql(view, sight)]);
  return groupPoints(await selectGroups(db, sight, levels, where), levels, new Set()).points.filter(
    (point) => point.type === 0,
  );
};
