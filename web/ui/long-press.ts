// A finger that stays asks for the menu, as the right button of a mouse does. Some browsers say so themselves (Android), others
// do not (iOS): there the event is made here. Menus listen to `contextmenu` alone.

/** Whether there are only fingers: nothing can be shown when a mouse is above it. */
export const hasNoHover = (): boolean => window.matchMedia('(hover: none)').matches;

const patience = 500;
/** A finger is never quite still. */
const slack = 10;

const first = { capture: true };

export const listenForLongPress = (): void => {
  let pressed: { x: number; y: number; on: Element } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The menu is open: lifting the finger is no click on what is below it. */
  let isTaken = false;
  const stop = (): void => clearTimeout(timer);
  const ask = (): void => {
    if (pressed === undefined) return;
    const { on, x: clientX, y: clientY } = pressed;
    on.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY, button: 2, buttons: 0 }),
    );
  };
  window.addEventListener(
    'pointerdown',
    ({ pointerType, isPrimary, clientX: x, clientY: y, target: on }) => {
      stop();
      isTaken = false;
      pressed = pointerType === 'touch' && isPrimary && on instanceof Element ? { x, y, on } : undefined;
      if (pressed !== undefined) timer = setTimeout(ask, patience);
    },
    first,
  );
  window.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (pressed !== undefined && Math.hypot(clientX - pressed.x, clientY - pressed.y) > slack) stop();
    },
    first,
  );
  for (const ending of ['pointercancel', 'scroll'] as const) window.addEventListener(ending, stop, first);
  window.addEventListener(
    'contextmenu',
    (event) => {
      stop();
      if (!isTaken) return;
      // The browser says it as well.
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    first,
  );
  // Behind all others: whether one of them has taken it.
  window.addEventListener('contextmenu', (event) => {
    isTaken = pressed !== undefined && event.defaultPrevented;
  });
  window.addEventListener(
    'pointerup',
    (event) => {
      stop();
      pressed = undefined;
      if (isTaken && event.pointerType === 'touch') event.stopImmediatePropagation();
    },
    first,
  );
  window.addEventListener('touchend', (event) => isTaken && event.cancelable && event.preventDefault(), {
    capture: true,
    passive: false,
  });
};
