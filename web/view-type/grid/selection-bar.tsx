import { Pencil, Trash2, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
}

/** What can be done with the rows that are ticked. */
export const SelectionBar = ({ count, onClear, onEdit, onDelete }: SelectionBarProps) => {
  if (count === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Selected records"
      className="absolute bottom-14 left-1/2 z-10 flex -translate-x-1/2 items-center gap-2 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float animate-appear"
    >
      <span className="font-medium whitespace-nowrap">{count.toLocaleString('en')} selected</span>
      {onEdit !== undefined && (
        <Button size="small" icon={<Pencil size={15} />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {onDelete !== undefined && (
        <Button size="small" look="danger" icon={<Trash2 size={15} />} onClick={onDelete}>
          Delete
        </Button>
      )}
      <IconButton label="Clear the selection" onClick={onClear}>
        <X size={16} />
      </IconButton>
    </div>
  );
};
