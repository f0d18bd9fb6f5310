// Light, dark, or as the system says. The choice is kept in this browser; `data-theme` on the page is always
// the resolved one.

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Theme = 'light' | 'dark';

const storageKey = 'rowhouse.theme';
const listeners = new Set<() => void>();
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

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

export const resolvedTheme = (): Theme => (choice === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : choice);

const apply = (): void => {
  document.documentElement.dataset['theme'] = resolvedTheme();
  for (const listener of listeners) listener();
};

export const startTheme = (): void => {
  choice = storedChoice();
  apply();
  systemIsDark.addEventListener('change', apply);
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
