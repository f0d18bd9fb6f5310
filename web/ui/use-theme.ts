// The theme of the page, for what is drawn by hand or chosen in a menu. theme.ts is loaded before the app and knows nothing
// of React.
import { useSyncExternalStore } from 'react';
import { chosenTheme, onThemeChange, resolvedTheme, type Theme, type ThemeChoice } from './theme.ts';

/** What the person has chosen. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onThemeChange, chosenTheme);

/** What that means now: the system may change its mind in the evening. Anyone who draws by hand draws again then. */
export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, resolvedTheme);
