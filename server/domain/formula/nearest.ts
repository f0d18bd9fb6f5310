// The name that somebody probably meant: the closest one, if it is close enough.

/** How many letters have to be added, removed, exchanged or swapped with their neighbour. */
const distance = (one: string, other: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
};

const longest = 64;

export const nearestOf = (name: string, names: Iterable<string>): string | undefined => {
  const wanted = name.slice(0, longest).toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let found: string | undefined;
  let least = allowed + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const steps = distance(wanted, candidate.slice(0, longest).toLowerCase());
    if (steps < least) [found, least] = [candidate, steps];
  }
  return found;
};
