import { type DragEvent, useState } from 'react';

/** Where a record that is dragged can be dropped: on a column of the board, on a day. Without `onDrop` nothing can be. */
export const useRecordDrop = (onDrop: ((recordId: string) => void) | undefined) => {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (onDrop === undefined) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const recordId = event.dataTransfer.getData('text/plain');
    if (recordId.startsWith('rec')) onDrop?.(recordId);
  };
  return { isOver, handlers: { onDragOver: over, onDragLeave: () => setOver(false), onDrop: drop } };
};
