// Which jobs get the free slots. Slots are given by turns to spaces: the space that has the fewest of them comes first, then the one whose last turn is
// longest ago. Within a space the order is that of the candidates.

export interface Candidate {
  id: string;
  kind: string;
  /** Whose turn it takes; empty for the server's own. */
  space: string;
}

export interface FreeSlots {
  free: number;
  /** Of these, for kinds that keep their slot until they end. */
  freeForWhole: number;
  keepsSlot: (kind: string) => boolean;
  /** By kind: how many more may run. */
  room: ReadonlyMap<string, number>;
  /** By space: how many slots it has. */
  running: ReadonlyMap<string, number>;
  /** By space: the number of its last turn; those that had none come first. */
  lastTurn: ReadonlyMap<string, number>;
}

export const chooseJobs = <C extends Candidate>(
  candidates: readonly C[],
  { free, freeForWhole, keepsSlot, room, running, lastTurn }: FreeSlots,
): C[] => {
  const chosen: C[] = [];
  const left = new Set(candidates);
  const rooms = new Map(room);
  const slots = new Map(running);
  let whole = freeForWhole;
  const slotsOf = ({ space }: C): number => slots.get(space) ?? 0;
  const turnOf = ({ space }: C): number => lastTurn.get(space) ?? 0;
  const mayRun = ({ kind }: C): boolean => (rooms.get(kind) ?? 0) > 0 && (whole > 0 || !keepsSlot(kind));
  while (chosen.length < free) {
    let best: C | undefined;
    for (const candidate of left) {
      if (!mayRun(candidate)) continue;
      if (
        best === undefined ||
        slotsOf(candidate) < slotsOf(best) ||
        (slotsOf(candidate) === slotsOf(best) && turnOf(candidate) < turnOf(best))
      )
        best = candidate;
    }
    if (best === undefined) break;
    chosen.push(best);
    left.delete(best);
    slots.set(best.space, slotsOf(best) + 1);
    rooms.set(best.kind, (rooms.get(best.kind) as number) - 1);
    if (keepsSlot(best.kind)) whole -= 1;
  }
  return chosen;
};

/** Whether somebody of another space would get the slot of a job that gave it back now. Its own space had the last turn. */
export const hasToGiveWay = <C extends Candidate>(own: Candidate, others: readonly C[], slots: FreeSlots): boolean =>
  chooseJobs([own, ...others], slots)[0]?.space !== own.space;
