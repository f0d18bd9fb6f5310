// Files that are dragged from outside the page, and dropped on an element.
import { type DragEvent, useRef, useState } from 'react';

export const hasFiles = ({ types }: DataTransfer): boolean => types.includes('Files');

interface FileDropHandlers {
  onDragEnter: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** `onFiles` absent: they are left to whatever lies below. */
export const useFileDrop = (
  onFiles: ((files: File[]) => void) | undefined,
): { isOver: boolean; handlers: FileDropHandlers | undefined } => {
  const [isOver, setOver] = useState(false);
  /** Entering a child is leaving its parent. */
  const depth = useRef(0);
  if (onFiles === undefined) return { isOver: false, handlers: undefined };
  const end = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event) => {
        if (!hasFiles(event.dataTransfer)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragOver: (event) => {
        if (!hasFiles(event.dataTransfer) || event.defaultPrevented) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => {
        if (!hasFiles(event.dataTransfer)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      },
      onDrop: (event) => {
        end();
        // Something inside has taken them.
        if (event.defaultPrevented || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
};
