// Tells people who use a screen reader what a key has done, without anything to see.

let region: HTMLElement | undefined;

export const announce = (text: string): void => {
  if (region === undefined) {
    region = document.createElement('div');
    region.setAttribute('role', 'status');
    region.setAttribute('aria-live', 'polite');
    region.className = 'sr-only';
    document.body.append(region);
  }
  // The same text twice is read once; a changed one is read again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
};
