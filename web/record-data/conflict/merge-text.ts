// Two people changed one long text: what each of them changed is put together, by lines and else by words. Where both changed the same
// place nothing is guessed: undefined, and the person decides.

/** The tokens from `from` to `to` of what was there are `tokens` now. */
interface Hunk {
  from: number;
  to: number;
  tokens: readonly string[];
}

/** A table of so many cells is filled in some milliseconds. */
const mostCells = 4_000_000;

/** What has to be done to `before` to get `after`; undefined: they are too long to compare. */
const hunksOf = (before: readonly string[], after: readonly string[]): Hunk[] | undefined => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1])
    [endBefore, endAfter] = [endBefore - 1, endAfter - 1];
  const [height, width] = [endBefore - start, endAfter - start];
  if (height * width > mostCells) return undefined;
  // The longest common subsequence of what is left, from each place to the end.
  const lengths = new Uint32Array((height + 1) * (width + 1));
  const at = (row: number, column: number): number => lengths[row * (width + 1) + column] as number;
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = width - 1; column >= 0; column -= 1) {
      lengths[row * (width + 1) + column] =
        before[start + row] === after[start + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const hunks: Hunk[] = [];
  let [row, column] = [0, 0];
  while (row < height || column < width) {
    const [fromRow, fromColumn] = [row, column];
    while (
      (row < height || column < width) &&
      !(row < height && column < width && before[start + row] === after[start + column])
    ) {
      if (column === width || (row < height && at(row + 1, column) >= at(row, column + 1))) row += 1;
      else column += 1;
    }
    if (row > fromRow || column > fromColumn)
      hunks.push({ from: start + fromRow, to: start + row, tokens: after.slice(start + fromColumn, start + column) });
    while (row < height && column < width && before[start + row] === after[start + column])
      [row, column] = [row + 1, column + 1];
  }
  return hunks;
};

const isSameHunk = (one: Hunk, other: Hunk): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.tokens.length === other.tokens.length &&
  one.tokens.every((token, index) => token === other.tokens[index]);

const isInsertion = ({ from, to }: Hunk): boolean => from === to;

/** Whether both did something to the same place; an insertion at the edge of a change counts. */
const meet = (one: Hunk, other: Hunk): boolean =>
  isInsertion(one) || isInsertion(other)
    ? one.from <= other.to && other.from <= one.to
    : one.from < other.to && other.from < one.to;

const mergeTokens = (
  before: readonly string[],
  mine: readonly string[],
  now: readonly string[],
  mayStandTogether: boolean,
): string[] | undefined => {
  const [own, others] = [hunksOf(before, mine), hunksOf(before, now)];
  if (own === undefined || others === undefined) return undefined;
  const kept = own.filter((hunk) => !others.some((other) => isSameHunk(hunk, other)));
  const collide = (hunk: Hunk, other: Hunk): boolean =>
    meet(hunk, other) && !(mayStandTogether && isInsertion(hunk) && isInsertion(other));
  if (kept.some((hunk) => others.some((other) => collide(hunk, other)))) return undefined;
  const merged = [...before];
  // From the end on, so that places stay what they are. Of two insertions theirs stands first.
  const inOrder = [...others.map((hunk) => ({ hunk, rank: 0 })), ...kept.map((hunk) => ({ hunk, rank: 1 }))].sort(
    (one, other) => other.hunk.from - one.hunk.from || other.hunk.to - one.hunk.to || other.rank - one.rank,
  );
  for (const { hunk } of inOrder) merged.splice(hunk.from, hunk.to - hunk.from, ...hunk.tokens);
  return merged;
};

const wordsOf = (text: string): string[] => text.split(/(\s+)/).filter((word) => word !== '');

/** `mine` was made from `before`, and the text is `now` by now. undefined: both changed the same place. */
export const mergeText = (before: string, mine: string, now: string): string | undefined => {
  // Nothing that the two have in common says how they belong together.
  if (before.trim() === '' || mine.trim() === '' || now.trim() === '') return undefined;
  return (
    mergeTokens(before.split('\n'), mine.split('\n'), now.split('\n'), true)?.join('\n') ??
    mergeTokens(wordsOf(before), wordsOf(mine), wordsOf(now), false)?.join('')
  );
};
