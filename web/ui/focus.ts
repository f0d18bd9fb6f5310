const page = (): HTMLElement | null => document.getElementById('root');

const isFree = (): boolean => document.activeElement === document.body || document.activeElement === page();

/** For what appears once its data is there: by then the person may be typing or choosing elsewhere. */
export const focusIfFree = (element: HTMLElement | null): void => {
  if (isFree()) element?.focus();
};

/** Tab and screen readers begin a new page at its beginning, wherever the link that led there was. */
export const focusPage = (): void => {
  if (isFree()) page()?.focus({ preventScroll: true });
};

/** As the `ref` of the tab that is open: among many, it is scrolled to. */
export const inSight = (element: Element | null): void => {
  // When it has been laid out anyway.
  if (element !== null) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
};

/**
 * For what closes and would give the focus back, which the library does a moment later: a menu that was opened in that moment has
 * it, and would close again.
 */
export const keepFocusOfMenu = (event: Event): void => {
  if (document.activeElement?.closest('[role=menu]')) event.preventDefault();
};
