// Which ids the feed has passed over. Ids of operations are drawn before the commit, so one may become visible after
// higher ones; a request that was taken back leaves its id unused for ever.

export interface FeedState {
  last: number;
  nextId: number;
  gaps: number[];
  gapTimes: string[];
}

/** No write lasts that long: what has not appeared by then never will. */
const patience = 3_600_000;
const maxGaps = 10_000;

/** `found`: the ids that are entered now, rising: gaps that have appeared, and ids from `nextId` on. */
export const nextFeedState = (state: FeedState, found: readonly number[], now: number): FeedState => {
  const here = new Set(found);
  const nextId = Math.max(state.nextId, (found.at(-1) ?? 0) + 1);
  const gaps: number[] = [];
  const gapTimes: string[] = [];
  state.gaps.forEach((id, at) => {
    const since = state.gapTimes[at] as string;
    if (here.has(id) || now - Date.parse(since) > patience) return;
    gaps.push(id);
    gapTimes.push(since);
  });
  const time = new Date(now).toISOString();
  // A table that was deleted for good takes its operations along: such a wide gap is not waited for.
  const missing = nextId - state.nextId - found.filter((id) => id >= state.nextId).length;
  if (missing + gaps.length <= maxGaps) {
    for (let id = state.nextId; id < nextId; id += 1) {
      if (here.has(id)) continue;
      gaps.push(id);
      gapTimes.push(time);
    }
  }
  return { last: state.last + found.length, nextId, gaps, gapTimes };
};
