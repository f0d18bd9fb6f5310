// Folding the groups of a grid.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useMemo } from 'react';
import type { RecordWindow } from '../../../record-data/record-window.ts';
import { type GroupHeader, groupRows } from './group-rows.ts';
import { itemsOf } from './row-items.ts';
import { useCollapsed } from './use-collapsed.ts';

interface Groups {
  collapsed: ReadonlySet<string>;
  /** What each level is grouped by, outermost first. */
  groupFields: readonly (Field | undefined)[];
  toggle: (header: GroupHeader) => void;
  expand: (header: GroupHeader) => void;
  collapseAll: () => void;
  expandAll: () => void;
  /** Opens the groups around a record; answers its row. */
  reveal: (place: number) => number;
}

export const useGroups = (view: View, fields: readonly Field[], window: RecordWindow): Groups => {
  const [collapsed, setCollapsed] = useCollapsed(view.id);
  const groupFields = useMemo(
    () => (view.group ?? []).map(({ fieldId }) => fields.find(({ id }) => id === fieldId)),
    [view.group, fields],
  );
  const without = (ids: readonly string[]): Set<string> => new Set([...collapsed].filter((id) => !ids.includes(id)));
  return {
    collapsed,
    groupFields,
    toggle({ id }) {
      setCollapsed(collapsed.has(id) ? without([id]) : new Set([...collapsed, id]));
    },
    expand: ({ id }) => setCollapsed(without([id])),
    collapseAll: () => setCollapsed(new Set(window.groups()?.flatMap((point) => (point.type === 0 ? [point.id] : [])))),
    expandAll: () => setCollapsed(new Set()),
    reveal(place) {
      const items = itemsOf(window.groups(), window.rowCount() ?? 0);
      const folded = groupRows(items, collapsed)
        .groupsOf(place)
        .filter(({ isCollapsed }) => isCollapsed);
      const next = folded.length === 0 ? collapsed : without(folded.map(({ id }) => id));
      if (folded.length > 0) setCollapsed(next);
      return groupRows(items, next).rowOf(place) ?? 0;
    },
  };
};
