import { useEffect } from 'react';

/** What the tab of the browser says, and what a screen reader says first on a new page. */
export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    document.title = title === undefined ? 'Rowhouse' : `${title} · Rowhouse`;
  }, [title]);
};
