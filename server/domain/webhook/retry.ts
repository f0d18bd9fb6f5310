// When a delivery is tried again.

/** Seconds before the second attempt, the third, and so on: ten attempts over three days. */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 64_800, 79_200];

export const mostAttempts = pauses.length + 1;

const longestPause = 86_400;

/** Null: it was the last attempt. Spread by a fifth, so that what failed together does not come back together. */
export const pauseAfter = (
  attempt: number,
  retryAfter: number | null,
  random: () => number = Math.random,
): number | null => {
  const pause = pauses[attempt - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (0.9 + 0.2 * random()), Math.min(retryAfter ?? 0, longestPause));
};
