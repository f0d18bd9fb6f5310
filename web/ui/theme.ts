// Light, dark, or as the system says. The choice is kept in this browser; `data-theme` on the page is always
// the resolved one.

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Theme = 'light' | 'dark';

const storageKey = 'rowhouse.theme';
const listeners = new Set<() => void>();
const system = window.matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light');
/** What the last event said: Chromium sends none for a change that somebody has read from `matches` before it. */
let lastOfSystem = systemTheme();

const storedChoice = (): ThemeChoice => {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
};

let choice: ThemeChoice = 'system';

export const chosenTheme = (): ThemeChoice => choice;

export const resolvedTheme = (): Theme => (choice === 'system' ? lastOfSystem : choice);

const apply = (): void => {
  document.documentElement.dataset['theme'] = resolvedTheme();
  for (const listener of listeners) listener();
};

export const startTheme = (): void => {
  choice = storedChoice();
  apply();
  system.addEventListener('change', () => {
    lastOfSystem = systemTheme();
    apply();
  });
};

export const chooseTheme = (next: ThemeChoice): void => {
  choice = next;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // A browser that keeps nothing still gets the theme for this visit.
  }
  apply();
};

export const onThemeChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
