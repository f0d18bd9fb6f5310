// How long things of the OAuth server live, in seconds; Teable's values.
export const lifetime = {
  /** A request that waits for the user's decision. */
  transaction: 300,
  code: 300,
  /** A code that a device shows. */
  device: 600,
  /** Between two polls of a device. */
  poll: 5,
  accessToken: 600,
  refreshToken: 2_592_000,
  /** How long consent is remembered. */
  consent: 604_800,
} as const;

export const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1_000);
