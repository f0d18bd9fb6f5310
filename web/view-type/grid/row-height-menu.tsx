import type { View } from '@rowhouse/contract/view.ts';
import { Check, Rows3 } from 'lucide-react';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type RowHeight, rowHeightNames, rowHeightOf } from './row-height.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { useColumnActions } from './use-column-actions.ts';

export const RowHeightMenu = ({ tableId, view, disabled }: { tableId: string; view: View; disabled: boolean }) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const current = rowHeightOf(view);
  return (
    <Menu trigger={<ToolbarButton icon={<Rows3 size={16} aria-hidden />} label="Height" disabled={disabled} />}>
      {(Object.keys(rowHeightNames) as RowHeight[]).map((height) => (
        <MenuItem
          key={height}
          icon={height === current ? <Check size={16} /> : undefined}
          onSelect={() => setOptions({ rowHeight: height })}
        >
          {rowHeightNames[height]}
        </MenuItem>
      ))}
    </Menu>
  );
};
