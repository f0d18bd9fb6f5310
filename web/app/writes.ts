// Requests of this tab that change something and are not answered yet.
const onTheirWay = new Set<Promise<unknown>>();

/** A request that changes something has gone out. */
export const noteWrite = (answer: Promise<unknown>): void => {
  const settled = answer.then(
    () => undefined,
    () => undefined,
  );
  onTheirWay.add(settled);
  void settled.then(() => onTheirWay.delete(settled));
};

/** When everything that was sent by now has been answered: anyone who undoes the last change means the one on the screen. */
export const writesAnswered = async (): Promise<void> => {
  await Promise.all(onTheirWay);
};
