import { type RefObject, useEffect, useRef } from 'react';

/** After a tap that has opened something there is no click: it would be a click on what has opened below the finger. */
export const useTap = (frame: RefObject<HTMLElement | null>): (() => void) => {
  const hasOpened = useRef(false);
  useEffect(() => {
    const element = frame.current;
    const end = (event: TouchEvent): void => {
      if (hasOpened.current && event.cancelable) event.preventDefault();
      hasOpened.current = false;
    };
    element?.addEventListener('touchend', end, { passive: false });
    return () => element?.removeEventListener('touchend', end);
  }, [frame]);
  return () => void (hasOpened.current = true);
};
