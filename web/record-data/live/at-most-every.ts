/** Runs the last thing it is given, not more often than this many milliseconds; the first one at once. */
export const atMostEvery = (pause: number): ((action: () => void) => void) => {
  let next: (() => void) | undefined;
  let resting = false;
  const rest = (): void => {
    const action = next;
    next = undefined;
    resting = action !== undefined;
    action?.();
    if (resting) setTimeout(rest, pause);
  };
  return (action) => {
    next = action;
    if (!resting) rest();
  };
};
