// Which groups are folded: a matter of the person who looks, kept in the browser.
import { useCallback, useState } from 'react';

const keyOf = (viewId: string): string => `rowhouse.collapsed.${viewId}`;
const maxKept = 5_000;

const read = (viewId: string): ReadonlySet<string> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(viewId)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
};

export const useCollapsed = (viewId: string): [ReadonlySet<string>, (next: ReadonlySet<string>) => void] => {
  const [collapsed, setCollapsed] = useState(() => read(viewId));
  const set = useCallback(
    (next: ReadonlySet<string>): void => {
      setCollapsed(next);
      try {
        if (next.size === 0) localStorage.removeItem(keyOf(viewId));
        else localStorage.setItem(keyOf(viewId), JSON.stringify([...next].slice(0, maxKept)));
      } catch {
        // The browser keeps nothing: they are open again next time.
      }
    },
    [viewId],
  );
  return [collapsed, set];
};
