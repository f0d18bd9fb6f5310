// The cell of the cursor has the focus, in the table for screen readers. When its row is gone from that table, the browser gives
// the focus to nobody, and no key does anything any more: the grid takes it back.
import { type RefObject, useEffect } from 'react';

export const useKeptFocus = (frame: RefObject<HTMLElement | null>, focus: () => void): void => {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let focused: Element | undefined;
    const enter = ({ target }: FocusEvent): void => {
      focused = target as Element;
    };
    // Some browsers tell that an element has lost the focus when it is removed, some do not.
    const leave = ({ target }: FocusEvent): void => {
      setTimeout(() => {
        if (focused === target && focused.isConnected && document.activeElement !== focused) focused = undefined;
      });
    };
    const observer = new MutationObserver(() => {
      if (focused === undefined || focused.isConnected) return;
      focused = undefined;
      if (document.activeElement === null || document.activeElement === document.body) focus();
    });
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
};
