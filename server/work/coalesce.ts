// Runs one piece of work whenever it is woken: never twice at once, and not more often than the gap allows.

export interface Coalesced {
  wake(): void;
  /** Runs it now, or once more after the run that is under way; anyone who waits for that shares it. Fails when the work does. */
  run(): Promise<void>;
  readonly isRunning: boolean;
  /** Resolves when the run that is under way has ended. The next may have begun: look at `isRunning`. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export const coalesce = (
  work: () => Promise<void>,
  gap: () => number,
  onFailure: (error: unknown) => unknown,
): Coalesced => {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let endedAt = 0;
  let isClosed = false;

  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running = work().finally(() => {
      running = undefined;
      endedAt = performance.now();
    });
    return running;
  };

  const wake = (): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        if (isClosed) return;
        if (running === undefined) {
          // What fails because everything is being closed is no failure.
          start().catch((error: unknown) => (isClosed ? undefined : onFailure(error)));
        } else void running.catch(() => undefined).then(wake);
      },
      Math.max(1, endedAt + gap() - performance.now()),
    );
  };

  const idle = (): Promise<void> => running?.catch(() => undefined) ?? Promise.resolve();

  return {
    wake,
    run() {
      if (isClosed) return Promise.resolve();
      if (running === undefined) return start();
      following ??= idle().then(() => {
        following = undefined;
        return running ?? (isClosed ? undefined : start());
      });
      return following;
    },
    get isRunning() {
      return running !== undefined;
    },
    idle,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      while (running !== undefined) await idle();
    },
  };
};
