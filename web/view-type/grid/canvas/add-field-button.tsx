// The column behind the last field.
import type { Rectangle } from '@glideapps/glide-data-grid';
import { Plus } from 'lucide-react';

export const addFieldWidth = 56;

export const AddFieldButton = ({ onClick }: { onClick: (at: Rectangle) => void }) => (
  <div className="flex h-full flex-col bg-surface">
    <div className="h-[37px] border-b border-line bg-canvas">
      <button
        type="button"
        aria-label="Add a field"
        title="Add a field"
        className="flex h-[36px] w-14 items-center justify-center border-r border-line text-ink-soft hover:bg-sunken hover:text-ink"
        onClick={(event) => {
          const { x, y, width, height } = event.currentTarget.getBoundingClientRect();
          onClick({ x, y, width, height });
        }}
      >
        <Plus size={17} aria-hidden />
      </button>
    </div>
  </div>
);
