// The library hears every click in the window, and takes one on a popover for one on the header below it.
import { type RefObject, useEffect, useRef } from 'react';

/** Whether the mouse button went down on the grid itself the last time. */
export const usePressedInside = (frame: RefObject<HTMLElement | null>): RefObject<boolean> => {
  const isInside = useRef(false);
  useEffect(() => {
    const note = ({ target }: PointerEvent): void => {
      isInside.current = frame.current?.contains(target as Node) === true;
    };
    document.addEventListener('pointerdown', note, true);
    return () => document.removeEventListener('pointerdown', note, true);
  }, [frame]);
  return isInside;
};
