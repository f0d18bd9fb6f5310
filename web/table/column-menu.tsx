import type { Field } from '@rowhouse/contract/field.ts';
import { ArrowLeftToLine, ArrowRightToLine, CopyPlus, EyeOff, Pencil, Pin, Trash2 } from 'lucide-react';
import { AnchoredMenu } from '../ui/anchored-menu.tsx';
import { MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import type { Rectangle } from '../grid/grid.tsx';
import { fieldTypeInfo } from './field-type.ts';

export type ColumnAsk = 'edit' | 'insert-left' | 'insert-right' | 'duplicate' | 'hide' | 'freeze' | 'delete';

export interface ColumnMenuProps {
  field: Field;
  at: Rectangle;
  canChangeFields: boolean;
  canChangeView: boolean;
  onClose: () => void;
  onAsk: (what: ColumnAsk) => void;
}

export const ColumnMenu = ({ field, at, canChangeFields, canChangeView, onClose, onAsk }: ColumnMenuProps) => (
  <AnchoredMenu at={at} onClose={onClose}>
    <MenuLabel>{field.description ?? fieldTypeInfo(field.type).label}</MenuLabel>
    {canChangeFields && (
      <>
        <MenuItem icon={<Pencil size={16} />} onSelect={() => onAsk('edit')}>
          Edit field
        </MenuItem>
        {field.isPrimary !== true && (
          <MenuItem icon={<ArrowLeftToLine size={16} />} onSelect={() => onAsk('insert-left')}>
            Insert left
          </MenuItem>
        )}
        <MenuItem icon={<ArrowRightToLine size={16} />} onSelect={() => onAsk('insert-right')}>
          Insert right
        </MenuItem>
        {field.isComputed !== true && (
          <MenuItem icon={<CopyPlus size={16} />} onSelect={() => onAsk('duplicate')}>
            Duplicate field
          </MenuItem>
        )}
      </>
    )}
    {canChangeView && (
      <>
        <MenuItem icon={<Pin size={16} />} onSelect={() => onAsk('freeze')}>
          Freeze up to here
        </MenuItem>
        {field.isPrimary !== true && (
          <MenuItem icon={<EyeOff size={16} />} onSelect={() => onAsk('hide')}>
            Hide in this view
          </MenuItem>
        )}
      </>
    )}
    {canChangeFields && field.isPrimary !== true && (
      <>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => onAsk('delete')}>
          Delete field
        </MenuItem>
      </>
    )}
  </AnchoredMenu>
);
