import { type RefObject, useEffect, useState } from 'react';

/** Whether an element is, or has been, within a screen of what the board shows: stacks further off are asked for when somebody comes near, and when the board is printed. */
export const useNear = (element: RefObject<HTMLElement | null>): boolean => {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || element.current === null) return undefined;
    const near = (): void => setNear(true);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && near(), {
      // The board: stacks may stand in frames of their own.
      root: element.current.parentElement?.closest('[role="region"]') ?? null,
      rootMargin: '0px 100%',
    });
    observer.observe(element.current);
    window.addEventListener('beforeprint', near);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', near);
    };
  }, [element, isNear]);
  return isNear;
};
