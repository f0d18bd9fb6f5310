import { useSyncExternalStore } from 'react';
import { chosenTheme, onThemeChange, resolvedTheme, type Theme, type ThemeChoice } from './theme.ts';

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onThemeChange, chosenTheme);
export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, resolvedTheme);
