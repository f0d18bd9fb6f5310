// Rows of the feed as those hear them who have a whole base in view: which tables changed, and which dashboards. Nothing of what is in them.
import type { Seeing } from '../../catalog/sight.ts';
import type { FeedRow } from './feed.sql.ts';
import type { TableChange } from './table-changes.ts';

const headOf = (row: FeedRow, baseId: string): string =>
  `"baseId":"${baseId}","operationId":"${row.operationId}","by":"${row.actor}","time":"${row.time}"`;

/** A table that changed several times is named once, by its last change. */
export const baseChanges = (
  { access: { rights } }: Pick<Seeing, 'access'>,
  baseId: string,
  rows: readonly FeedRow[],
): TableChange[] => {
  const last = new Map(rows.map(({ tableId, seq }) => [tableId, seq]));
  return rows.map((row): TableChange => {
    const { seq, kind, tableId } = row;
    if (kind === 'tables')
      return { seq, isOfSchema: false, events: [{ kind: 'tables.changed', data: `{${headOf(row, baseId)}}` }] };
    if (kind === 'dashboard') {
      const data = `{${headOf(row, baseId)},"dashboardId":"${tableId}"}`;
      return { seq, isOfSchema: false, events: [{ kind: 'dashboards.changed', data }] };
    }
    const isTold = last.get(tableId) === seq && rights.of(tableId) !== null;
    const data = `{"baseId":"${baseId}","tableIds":["${tableId}"]}`;
    return { seq, isOfSchema: false, events: isTold ? [{ kind: 'tables.touched', data }] : [] };
  });
};
