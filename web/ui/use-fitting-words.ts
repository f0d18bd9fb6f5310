// Words beside the icons of a toolbar, as many as its line has room for: `ToolbarButton` marks them with how soon they may be left out.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The first to be left out first: what is no tool of the view, then tools that nothing is set behind. */
const wordRanks = ['aside', 'unset', 'set'] as const;

const leaveOutWords = (line: HTMLElement): void => {
  const words = [...(line.parentElement ?? line).querySelectorAll<HTMLElement>('[data-word]')];
  for (const word of words) word.hidden = false;
  // Of one rank the last one first.
  const inTurn = wordRanks.flatMap((rank) => words.filter((word) => word.dataset['word'] === rank).reverse());
  for (const word of inTurn) {
    if (line.scrollWidth <= line.clientWidth) return;
    word.hidden = true;
  }
};

/** For the part of a toolbar that shrinks. Looked at whenever its owner is drawn, as words change with what is set, and when there is more or less room. */
export const useFittingWords = (): RefObject<HTMLDivElement | null> => {
  const element = useRef<HTMLDivElement>(null);
  const look = (): void => {
    if (element.current !== null) leaveOutWords(element.current);
  };
  useLayoutEffect(look);
  useEffect(() => {
    const { current } = element;
    if (current?.parentElement == null) return undefined;
    // Its own width changes with the words that are left out beside it; that of the toolbar does not.
    const observer = new ResizeObserver(look);
    observer.observe(current.parentElement);
    return () => observer.disconnect();
  }, []);
  return element;
};
