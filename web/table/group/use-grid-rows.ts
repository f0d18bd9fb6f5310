// The rows of the grid: records one below the other, or under the headers of their groups.
import type { Field } from '@rowhouse/contract/field.ts';
import type { GroupPoint, RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { RecordWindow } from '../record-window.ts';
import { type GroupHeader, type GroupRows, groupRows, plainRows } from './group-rows.ts';
import { useCollapsed } from './use-collapsed.ts';

export interface GridRows {
  rows: GroupRows;
  /** What each level is grouped by, outermost first. */
  groupFields: readonly (Field | undefined)[];
  recordAt: (row: number) => RecordVo | undefined;
  /** Says which rows are visible. */
  look: (first: number, last: number) => void;
  toggle: (header: GroupHeader) => void;
  collapseAll: () => void;
  expandAll: () => void;
  /** Opens the groups around a record; answers its row. */
  reveal: (place: number) => number;
}

const rowsOf = (groups: readonly GroupPoint[] | undefined, count: number, collapsed: ReadonlySet<string>): GroupRows => (groups === undefined ? plainRows(count) : groupRows(groups, collapsed));

export const useGridRows = (view: View, fields: readonly Field[], window: RecordWindow): GridRows => {
  const [collapsed, setCollapsed] = useCollapsed(view.id);
  const count = window.rowCount() ?? 0;
  const groups = window.groups();
  const rows = useMemo(() => rowsOf(groups, count, collapsed), [groups, count, collapsed]);
  const groupFields = useMemo(() => (view.group ?? []).map(({ fieldId }) => fields.find(({ id }) => id === fieldId)), [view.group, fields]);
  const shown = useRef<[first: number, last: number]>([0, 60]);
  const recordAt = useCallback(
    (row: number) => {
      const place = rows.placeAt(row);
      return place === undefined ? undefined : window.at(place);
    },
    [rows, window],
  );
  // Other records come into view when a group is folded, although nobody scrolls.
  useEffect(() => window.look(rows.placesOf(...shown.current)), [rows, window]);

  return {
    rows,
    groupFields,
    recordAt,
    look(first, last) {
      shown.current = [first, last];
      window.look(rows.placesOf(first, last));
    },
    toggle({ id }) {
      const next = new Set(collapsed);
      if (!next.delete(id)) next.add(id);
      setCollapsed(next);
    },
    collapseAll: () => setCollapsed(new Set(groups?.flatMap((point) => (point.type === 0 ? [point.id] : [])))),
    expandAll: () => setCollapsed(new Set()),
    reveal(place) {
      const folded = rows.groupsOf(place).filter(({ isCollapsed }) => isCollapsed);
      if (folded.length === 0) return rows.rowOf(place) ?? 0;
      const next = new Set([...collapsed].filter((id) => !folded.some((header) => header.id === id)));
      setCollapsed(next);
      return rowsOf(groups, count, next).rowOf(place) ?? 0;
    },
  };
};
