import { ArrowDownToLine, ArrowUpToLine, CopyPlus, Link2, Maximize2, Pencil, Trash2 } from 'lucide-react';
import { AnchoredMenu } from '../../ui/anchored-menu.tsx';
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { Rectangle } from './canvas/grid-props.ts';

interface RowMenuProps {
  at: Rectangle;
  /** How many records the menu is about. */
  count: number;
  canCreate: boolean;
  canDelete: boolean;
  /** Absent for one record, and for people who may not edit. */
  onEditAll: (() => void) | undefined;
  onClose: () => void;
  returnFocus: () => void;
  onOpen: () => void;
  onDuplicate: () => void;
  onInsert: (position: 'before' | 'after') => void;
  onCopyLink: () => void;
  onDelete: () => void;
}

export const RowMenu = ({
  at,
  count,
  canCreate,
  canDelete,
  onEditAll,
  onClose,
  returnFocus,
  onOpen,
  onDuplicate,
  onInsert,
  onCopyLink,
  onDelete,
}: RowMenuProps) => (
  <AnchoredMenu at={at} onClose={onClose} returnFocus={returnFocus}>
    {count === 1 && (
      <MenuItem icon={<Maximize2 size={16} />} onSelect={onOpen}>
        Open record
      </MenuItem>
    )}
    {count === 1 && (
      <MenuItem icon={<Link2 size={16} />} onSelect={onCopyLink}>
        Copy link to record
      </MenuItem>
    )}
    {count === 1 && canCreate && (
      <>
        <MenuSeparator />
        <MenuItem icon={<ArrowUpToLine size={16} />} onSelect={() => onInsert('before')}>
          Insert record above
        </MenuItem>
        <MenuItem icon={<ArrowDownToLine size={16} />} onSelect={() => onInsert('after')}>
          Insert record below
        </MenuItem>
        <MenuItem icon={<CopyPlus size={16} />} onSelect={onDuplicate}>
          Duplicate record
        </MenuItem>
      </>
    )}
    {onEditAll !== undefined && (
      <MenuItem icon={<Pencil size={16} />} onSelect={onEditAll}>
        {`Edit ${count.toLocaleString('en')} records`}
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
