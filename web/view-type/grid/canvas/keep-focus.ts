// The cell of the cursor has the focus, in the table for screen readers. When its row is removed or moved there, the browser gives
// the focus to nobody, and no key does anything any more: the grid takes it back, unless something else was wanted.
import { type RefObject, useEffect } from 'react';

export const useKeptFocus = (frame: RefObject<HTMLElement | null>, focus: () => void): void => {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let isOurs = false;
    const note = ({ target }: Event): void => {
      isOurs = element.contains(target as Node);
    };
    const takeBack = (): void => {
      if (isOurs && (document.activeElement === null || document.activeElement === document.body)) focus();
    };
    const later = (): unknown => setTimeout(takeBack);
    const observer = new MutationObserver(takeBack);
    observer.observe(element, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', note, true);
    element.addEventListener('focusout', later);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', note, true);
      element.removeEventListener('focusout', later);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
};
