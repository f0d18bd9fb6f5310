/** As the `ref` of the tab that is open: among many, it is scrolled to. */
export const inSight = (element: Element | null): void => {
  // When it has been laid out anyway.
  if (element !== null) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
};
