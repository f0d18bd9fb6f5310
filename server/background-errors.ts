// Failures of work that no request waits for. It is tried again by itself, so each kind is counted every time and
// logged once a minute at most. Kinds are told by a few words, which are the label in the metrics too: for jobs the kind
// of the job.

/** `untold`: how many of this kind there were since the line before. */
type BackgroundErrorLog = (work: string, error: unknown, untold: number) => void;

export interface BackgroundErrors {
  note(work: string, error: unknown): void;
  /** How many there were of each kind since the start. */
  counts(): ReadonlyMap<string, number>;
  /** Where the lines go from now on; nowhere at first. */
  logTo(log: BackgroundErrorLog): void;
}

const quietFor = 60_000;

export const createBackgroundErrors = (clock: () => number = () => performance.now()): BackgroundErrors => {
  const kinds = new Map<string, { count: number; told: number; toldAt: number }>();
  let log: BackgroundErrorLog = () => undefined;
  return {
    note(work, error) {
      const kind = kinds.get(work) ?? { count: 0, told: 0, toldAt: Number.NEGATIVE_INFINITY };
      kinds.set(work, kind);
      kind.count += 1;
      if (clock() - kind.toldAt < quietFor) return;
      log(work, error, kind.count - kind.told - 1);
      kind.told = kind.count;
      kind.toldAt = clock();
    },
    counts: () => new Map([...kinds].map(([work, { count }]) => [work, count])),
    logTo(given) {
      log = given;
    },
  };
};
