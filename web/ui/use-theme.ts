// The theme of the page, for what is drawn by hand or chosen in a menu.
import { useSyncExternalStore } from 'react';
import { chosenTheme, onThemeChange, resolvedTheme, type Theme, type ThemeChoice } from './theme.ts';

/** What the person has chosen. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onThemeChange, chosenTheme);

/** What that means now. */
export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, resolvedTheme);
