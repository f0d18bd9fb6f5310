// Anyone who sends a list as a whole can say what it was when they read it: what somebody else wrote since is not overwritten.
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '@rowhouse/contract/error.ts';

/** `seen` is undefined when nobody said it. */
export const demandSeen = (seen: unknown, present: unknown, what: string): void => {
  if (seen === undefined || isDeepStrictEqual(seen, present)) return;
  throw conflict(`${what} has changed since it was read; make the change to what it is now, which is in "present"`, { present });
};
