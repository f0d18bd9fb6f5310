import { ChevronsDownUp, ChevronsUpDown, Plus } from 'lucide-react';
import type { Rectangle } from '@glideapps/glide-data-grid';
import { AnchoredMenu } from '../../../ui/anchored-menu.tsx';
import { MenuItem } from '../../../ui/menu.tsx';

interface GroupMenuProps {
  at: Rectangle;
  onClose: () => void;
  returnFocus: () => void;
  onCollapseAll: () => void;
  onExpandAll: () => void;
  /** Absent: nobody may add one here. */
  onAdd: (() => void) | undefined;
}

export const GroupMenu = ({ at, onClose, returnFocus, onCollapseAll, onExpandAll, onAdd }: GroupMenuProps) => (
  <AnchoredMenu at={at} onClose={onClose} returnFocus={returnFocus}>
    {onAdd !== undefined && (
      <MenuItem icon={<Plus size={16} />} onSelect={onAdd}>
        Add a record here
      </MenuItem>
    )}
    <MenuItem icon={<ChevronsDownUp size={16} />} onSelect={onCollapseAll}>
      Collapse all groups
    </MenuItem>
    <MenuItem icon={<ChevronsUpDown size={16} />} onSelect={onExpandAll}>
      Expand all groups
    </MenuItem>
  </AnchoredMenu>
);
