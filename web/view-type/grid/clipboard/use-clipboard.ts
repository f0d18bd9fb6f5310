// Copy, cut and paste while the grid has the focus.
import { useEffect, useRef } from 'react';
import { showProblem, showToast } from '../../../ui/toast.ts';
import { type CopiedCells, fromClipboard, toClipboard } from './clipboard.ts';

interface ClipboardGestures {
  isActive(): boolean;
  /** What is selected: at once when it is loaded, else when it has been read. undefined: nothing. */
  selected(): CopiedCells | Promise<CopiedCells> | undefined;
  /** Absent: nobody may change anything. */
  clear?: (() => void) | undefined;
  paste?: ((copied: CopiedCells) => void) | undefined;
  /** A screenshot, say. False: the cell takes none. */
  pasteFiles?: ((files: readonly File[]) => boolean) | undefined;
}

/** The event is over before the rows are there: the browser takes a promise instead. */
const writeLater = async (cells: Promise<CopiedCells>): Promise<void> => {
  const texts = cells.then(toClipboard);
  // Very many rows take a while.
  const waiting = setTimeout(() => showToast({ kind: 'note', title: 'Copying rows that are not loaded yet…' }), 700);
  texts.catch(() => undefined).finally(() => clearTimeout(waiting));
  const blob = (kind: 'plain' | 'html') => texts.then((made) => new Blob([made[kind]], { type: `text/${kind}` }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob('plain'), 'text/html': blob('html') })]);
  const { rows } = await cells;
  showToast({
    kind: 'note',
    title: `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'row' : 'rows'} copied.`,
  });
};

export const useClipboard = (gestures: ClipboardGestures): void => {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const copy = (event: ClipboardEvent): Promise<void> | undefined => {
      const cells = latest.current.selected();
      if (cells === undefined) return undefined;
      event.preventDefault();
      if (cells instanceof Promise) return writeLater(cells);
      const { plain, html } = toClipboard(cells);
      event.clipboardData?.setData('text/plain', plain);
      event.clipboardData?.setData('text/html', html);
      return Promise.resolve();
    };
    const failed = (error: unknown): void => showProblem(error, 'Nothing was copied.');
    const onCopy = (event: ClipboardEvent): void => {
      if (latest.current.isActive()) copy(event)?.catch(failed);
    };
    const onCut = (event: ClipboardEvent): void => {
      if (!latest.current.isActive()) return;
      const { clear } = latest.current;
      // Emptied only when it is on the clipboard.
      copy(event)?.then(() => clear?.(), failed);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!latest.current.isActive() || latest.current.paste === undefined || event.clipboardData === null) return;
      event.preventDefault();
      const files = [...event.clipboardData.files];
      if (files.length > 0 && latest.current.pasteFiles?.(files) === true) return;
      latest.current.paste(
        fromClipboard({
          plain: event.clipboardData.getData('text/plain'),
          html: event.clipboardData.getData('text/html'),
        }),
      );
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCut);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCut);
      document.removeEventListener('paste', onPaste);
    };
  }, []);
};
