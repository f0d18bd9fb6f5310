import { CopyPlus, Maximize2, Trash2 } from 'lucide-react';
import { AnchoredMenu } from '../../ui/anchored-menu.tsx';
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { Rectangle } from './canvas/grid.tsx';

interface RowMenuProps {
  at: Rectangle;
  /** How many records the menu is about. */
  count: number;
  canCreate: boolean;
  canDelete: boolean;
  onClose: () => void;
  returnFocus: () => void;
  onOpen: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

export const RowMenu = ({
  at,
  count,
  canCreate,
  canDelete,
  onClose,
  returnFocus,
  onOpen,
  onDuplicate,
  onDelete,
}: RowMenuProps) => (
  <AnchoredMenu at={at} onClose={onClose} returnFocus={returnFocus}>
    {count === 1 && (
      <MenuItem icon={<Maximize2 size={16} />} onSelect={onOpen}>
        Open record
      </MenuItem>
    )}
    {count === 1 && canCreate && (
      <MenuItem icon={<CopyPlus size={16} />} onSelect={onDuplicate}>
        Duplicate record
      </MenuItem>
    )}
    {canDelete && (
      <>
        {count === 1 && <MenuSeparator />}
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={onDelete}>
          {count === 1 ? 'Delete record' : `Delete ${count.toLocaleString('en')} records`}
        </MenuItem>
      </>
    )}
  </AnchoredMenu>
);
