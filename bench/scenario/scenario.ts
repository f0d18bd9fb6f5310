// What a scenario is: a name, what it must reach, and a way to measure it.
import type { Stage } from '../process/stage.ts';
import type { Measured } from '../rounds.ts';

export interface Effort {
  rounds: number;
  /** What part of a whole round is done. */
  share: number;
}

export const whole: Effort = { rounds: 5, share: 1 };
export const quick: Effort = { rounds: 2, share: 0.1 };

export interface Goal {
  must: number;
  want?: number;
}

/** A figure that is no throughput. `goal` is a most, not a least. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal?: Goal;
}

export interface Throughput {
  name: string;
  title: string;
  goal: Goal;
  run(stage: Stage, effort: Effort): Promise<Measured>;
}

export interface Figures {
  name: string;
  title: string;
  figures(stage: Stage, effort: Effort): Promise<Figure[]>;
}

export type Scenario = Throughput | Figures;

export const countFor = (requests: number, { share }: Effort, atLeast: number): number =>
  Math.max(atLeast, Math.round(requests * share));
