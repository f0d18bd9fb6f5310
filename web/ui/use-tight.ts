// Marks an element as tight while what stands in it side by side does not fit: `group-data-[tight]` then leaves out what is not needed, such as words beside icons.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Looked at whenever its owner is drawn, as words change with what is set, and when there is more or less room. */
export const useTight = (): RefObject<HTMLDivElement | null> => {
  const element = useRef<HTMLDivElement>(null);
  const look = (): void => {
    const { current } = element;
    if (current === null) return;
    delete current.dataset['tight'];
    if (current.scrollWidth > current.clientWidth) current.dataset['tight'] = '';
  };
  useLayoutEffect(look);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return element;
};
