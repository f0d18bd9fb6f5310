import { useEffect, useSyncExternalStore } from 'react';
import { useBrand } from './brand.ts';
import { chosenTheme, onThemeChange, resolvedTheme, type Theme, type ThemeChoice } from './theme.ts';

/** What the tab of the browser says, and what a screen reader says first on a new page. */
export const useTitle = (title: string | undefined): void => {
  const brand = useBrand();
  useEffect(() => {
    document.title = title === undefined ? brand : `${title} · ${brand}`;
  }, [title, brand]);
};

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onThemeChange, chosenTheme);
export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, resolvedTheme);
