// Text in a cell that is not understood yet, or was refused: kept as it was typed, so that nothing is lost.
export interface Unparsed {
  unparsed: string;
}

export const isUnparsed = (value: unknown): value is Unparsed => typeof value === 'object' && value !== null && 'unparsed' in value;
