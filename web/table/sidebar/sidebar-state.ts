// Whether the sidebar is open: beside the page where there is room for it, over the page on a phone.
import { useSyncExternalStore } from 'react';
import { createStored } from '../../app/stored.ts';

const isWanted = createStored('rowhouse.sidebar', true, (value) => (typeof value === 'boolean' ? value : undefined));

const wide = window.matchMedia('(min-width: 48rem)');
const onWidth = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

export const useIsWide = (): boolean => useSyncExternalStore(onWidth, () => wide.matches);

export const useSidebarWanted = isWanted.use;
export const toggleSidebar = (): void => isWanted.write(!isWanted.read());

export const sidebarItemClass =
  'flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-2 text-ink-soft hover:text-ink';
