// Files that are dragged over the grid: the cell that would take them.
import type { DataEditorRef } from '@glideapps/glide-data-grid';
import { type DragEvent, type RefObject, useState } from 'react';

interface CellDropInput {
  editor: RefObject<DataEditorRef | null>;
  takesFiles: (column: number, row: number) => boolean;
  onFiles: (column: number, row: number, files: File[]) => void;
}

type Cell = readonly [column: number, row: number];

interface CellDrop {
  over: Cell | undefined;
  handlers: Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>;
}

export const useCellDrop = ({ editor, takesFiles, onFiles }: CellDropInput): CellDrop => {
  const [over, setOver] = useState<Cell>();
  const cellAt = ({ clientX, clientY, dataTransfer }: DragEvent): Cell | undefined => {
    if (!dataTransfer.types.includes('Files')) return undefined;
    const at = editor.current?.getMouseArgsForPosition(clientX, clientY);
    return at?.kind === 'cell' && takesFiles(...at.location) ? at.location : undefined;
  };
  return {
    over,
    handlers: {
      onDragOver(event) {
        const cell = cellAt(event);
        if (cell !== undefined) {
          event.preventDefault();
          event.dataTransfer.dropEffect = 'copy';
        }
        setOver((before) => (before?.[0] === cell?.[0] && before?.[1] === cell?.[1] ? before : cell));
      },
      onDragLeave: () => setOver(undefined),
      onDrop(event) {
        const cell = cellAt(event);
        setOver(undefined);
        if (cell === undefined || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        onFiles(cell[0], cell[1], [...event.dataTransfer.files]);
      },
    },
  };
};
