// Sends a change together with what it was made from. Where somebody else was faster, the server says what is there by now:
// the change is made to that, and sent again.
import { ApiError } from '@rowhouse/contract/error.ts';

const mostTries = 10;

const presentIn = (error: unknown): { present: unknown } | undefined =>
  error instanceof ApiError &&
  error.code === 'conflict' &&
  typeof error.data === 'object' &&
  error.data !== null &&
  'present' in error.data
    ? { present: error.data.present }
    : undefined;

/** `send` gets what the server has, as far as is known. */
export const sendMerged = async <T>(known: T, send: (now: T) => Promise<unknown>): Promise<void> => {
  let now = known;
  for (let tries = 1; ; tries += 1) {
    try {
      await send(now);
      return;
    } catch (error) {
      const found = presentIn(error);
      if (found === undefined || tries === mostTries) throw error;
      now = found.present as T;
    }
  }
};
