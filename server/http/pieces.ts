// A long text in pieces to be sent one after the other.

/** Few enough to cost nothing, and small enough that a client who reads is seen to. */
export const pieceLength = 262_144;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** Never cuts a character in two: each half would be sent as one that nobody wrote. */
export function* pieces(text: string, onPiece: () => void): Generator<Buffer> {
  for (let from = 0; from < text.length; ) {
    const wanted = Math.min(from + pieceLength, text.length);
    const to = wanted < text.length && isHighSurrogate(text.charCodeAt(wanted - 1)) ? wanted - 1 : wanted;
    onPiece();
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}
