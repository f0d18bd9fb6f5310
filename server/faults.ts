// Failures of work that no request waits for. It is tried again by itself, so each kind is counted every time and
// logged once a minute at most.

/** What runs beside the requests, in the words of the log and of the label in the metrics. */
export type Work =
  | 'telling people'
  | 'sending letters'
  | 'looking for what was left untold'
  | 'hourly notifications'
  | 'live feed'
  | 'live notifications'
  | 'checking listeners'
  | 'signals between processes'
  | 'times of last use'
  | 'upkeep of plans'
  | 'sessions of readers'
  | 'removal of old history'
  | 'removal of old fields and views'
  | 'removal of what has expired'
  | 'indexes of views';

/** `untold`: how many of this kind there were since the line before. */
export type FaultLog = (work: Work, error: unknown, untold: number) => void;

export interface Faults {
  note(work: Work, error: unknown): void;
  /** How many there were of each kind since the start. */
  counts(): ReadonlyMap<Work, number>;
  /** Where the lines go from now on; nowhere at first. */
  logTo(log: FaultLog): void;
}

const quietFor = 60_000;

export const createFaults = (clock: () => number = () => performance.now()): Faults => {
  const kinds = new Map<Work, { count: number; told: number; toldAt: number }>();
  let log: FaultLog = () => undefined;
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
