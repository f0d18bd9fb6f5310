// What is wrong with a formula, and where. Positions count characters from 0; messages count them from 1.

interface Mistake {
  start: number;
  end: number;
  expected?: string;
  /** The name that was probably meant. */
  nearest?: string;
}

export class FormulaError extends Error {
  readonly start: number;
  readonly end: number;
  readonly expected: string | undefined;
  readonly nearest: string | undefined;

  constructor(message: string, { start, end, expected, nearest }: Mistake) {
    const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
    super(`${message} (character ${start + 1})${hint}`);
    this.start = start;
    this.end = end;
    this.expected = expected;
    this.nearest = nearest;
  }
}
