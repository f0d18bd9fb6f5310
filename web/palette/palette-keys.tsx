// Ctrl-K finds a place or a command, Ctrl-/ shows the keys, wherever the focus is; so does ? where nothing is typed.
import { lazy, Suspense, useEffect } from 'react';
import { Palette } from './palette.tsx';
import { show, useShown } from '../app/palette-state.ts';

// Few visits need it. The palette is there at once: what is typed behind Ctrl-K belongs to it.
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }));

/** The grid takes what is typed as well. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, canvas, [role="menu"], [role="dialog"]') !== null);

export const PaletteKeys = () => {
  const shown = useShown();
  useEffect(() => {
    const keys: Record<string, 'palette' | 'shortcuts'> = { k: 'palette', '/': 'shortcuts' };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
        event.preventDefault();
        return show('shortcuts');
      }
      const what = keys[event.key.toLowerCase()];
      if (what === undefined || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      show(shown === what ? null : what);
    };
    // Before the grid, which takes keys for itself.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [shown]);
  return (
    <>
      {shown === 'palette' && <Palette onClose={() => show(null)} />}
      <Suspense fallback={null}>{shown === 'shortcuts' && <ShortcutsDialog onClose={() => show(null)} />}</Suspense>
    </>
  );
};
