// Leading people on after something that took time. Anyone who has gone elsewhere meanwhile stays there. `test/architecture.test.ts` sees to it that nothing is led to without being asked here.

const place = (): string => window.location.pathname + window.location.search;

/** Notes where the person is, before anything is waited for. What it gives leads on, if they are still there by then. */
export const fromHere = (): ((lead: () => unknown) => Promise<void>) => {
  const from = place();
  return async (lead) => {
    if (place() === from) await lead();
  };
};

/** From the pages of what has been deleted, or lost, whichever of them the person is on by now. */
export const awayFrom = async (id: string, lead: () => unknown): Promise<void> => {
  if (place().includes(id)) await lead();
};
