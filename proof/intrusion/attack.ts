// An attack that got through once, tried again. Each file of this folder that exports `attacks` is a topic of the part.
import type { Setting } from '../part.ts';
import type { Ground } from '../ground.ts';

export interface Scene extends Setting {
  /** The real program with its usual settings. */
  ground: Ground;
  /** A further one, with settings of its own; closed at the end of the part. */
  open: (env: Record<string, string>) => Promise<Ground>;
}

export interface Attack {
  /** What is tried, as a sentence. */
  name: string;
  /** Tried without a credential: `/health` has to answer within 100 ms all the while. */
  isAnonymous?: true;
  /** A full run measures it: no turn of the event loop may take more than 100 ms of a processor, nor all of it more than 200 MB. */
  isMeasured?: true;
  /** Takes long to make: in a full run only. */
  isLong?: true;
  /** Makes what it needs, which is not measured. */
  prepare?: (scene: Scene) => Promise<void>;
  /** Answers what got through; nothing when it was stopped. */
  run: (scene: Scene) => Promise<string[]>;
}

/** Answers `what` unless it holds. */
export const unless = (holds: boolean, what: string): string[] => (holds ? [] : [what]);
