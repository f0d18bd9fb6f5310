const page = (): HTMLElement | null => document.getElementById('root');

/** Nobody has the focus: who has it keeps it, whatever is drawn again, appears or closes meanwhile. */
export const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement === document.body || document.activeElement === page();

/** For what appears once its data is there: by then the person may be typing or choosing elsewhere. */
export const focusIfFree = (element: HTMLElement | null): void => {
  if (isFocusFree()) element?.focus();
};

/** Tab and screen readers begin a new page at its beginning, wherever the link that led there was. */
export const focusPage = (): void => {
  if (isFocusFree()) page()?.focus({ preventScroll: true });
};

/** As the `ref` of the tab that is open: among many, it is scrolled to. */
export const inSight = (element: Element | null): void => {
  // When it has been laid out anyway.
  if (element !== null) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
};

/**
 * For what closes and would give the focus back, which the library does a moment later: by then the person may be elsewhere, and is
 * not taken away from there. A menu that was opened in that moment would close again.
 */
export const keepFocusElsewhere = (event: Event): void => {
  if (!isFocusFree()) event.preventDefault();
};
