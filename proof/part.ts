// One part of the proof: something that tries to break the whole, and says what it saw.

export interface Setting {
  /** Every random choice of the part comes from it, so that a failure can be had again. */
  seed: number;
  /** `short` runs within `npm test`; `full` reaches the numbers that are promised. */
  scale: 'short' | 'full';
  /** How many requests, for parts that go by them: on a cluster a full run takes an hour. */
  requests?: number;
  /** Of the intrusion: only attacks whose topic or name contains it. Such a run is not kept. */
  only?: string;
  /** A line of progress. */
  say: (line: string) => void;
}

export interface Outcome {
  /** What was done and seen, in the order in which it is reported. */
  figures: Record<string, number | string>;
  /** What must not be: empty when the part held. At most the first hundred. */
  failures: string[];
}

export interface Part {
  name: string;
  title: string;
  run: (setting: Setting) => Promise<Outcome>;
}
