// Which table and view of a shared base is open: it stands in the address, so that a link leads there and the browser goes back.
import { useSyncExternalStore } from 'react';

interface BasePlace {
  tableId: string | undefined;
  viewId: string | undefined;
}

const listeners = new Set<() => void>();
window.addEventListener('popstate', () => listeners.forEach((tell) => tell()));

export const placeIn = (path: string): BasePlace => {
  const [, tableId, viewId] = /^\/share\/[^/]+\/base\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return { tableId, viewId };
};

export const pathTo = (shareId: string, ...place: string[]): string =>
  ['/share', encodeURIComponent(shareId), 'base', ...place.map(encodeURIComponent)].join('/');

export const goTo = (path: string): void => {
  window.history.pushState(null, '', path);
  listeners.forEach((tell) => tell());
};

export const useBasePath = (): string =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => window.location.pathname,
  );
