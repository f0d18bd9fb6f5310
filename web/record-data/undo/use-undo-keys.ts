// Ctrl-Z and Ctrl-Shift-Z anywhere on the table's screen, except where text is being typed: there the browser's own
// undo is meant.
import { useEffect } from 'react';
import type { Undo } from './window-undo.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null;

const isEmptyInput = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.value === '';

interface UndoKeysOptions {
  /** Something else on top has an undo of its own, such as a record of another table. */
  isCovered?: boolean;
  /** The page puts the focus into a text that is still empty: there is nothing in it to undo. */
  beginsInText?: boolean;
}

export const useUndoKeys = (
  { undo, redo }: Undo,
  { isCovered = false, beginsInText = false }: UndoKeysOptions = {},
): void => {
  useEffect(() => {
    if (isCovered) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        (key !== 'z' && key !== 'y') ||
        event.defaultPrevented ||
        (isTyping(event.target) && !(beginsInText && isEmptyInput(event.target)))
      )
        return;
      event.preventDefault();
      void (key === 'y' || event.shiftKey ? redo() : undo());
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [undo, redo, isCovered, beginsInText]);
};
