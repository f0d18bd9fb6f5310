// Finds any of many secrets in any amount of bytes, in one pass over them.

/** The characters of base64 that depend on the secret alone when `before` bytes, or three more, stand before it. */
const inBase64 = (secret: Buffer, before: number): string =>
  Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));

const formsOf = (secret: string): Set<string> => {
  const bytes = Buffer.from(secret);
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    ...[0, 1, 2].map((before) => inBase64(bytes, before)),
  ]);
};

const wordLength = 4;

/** The aligned words of some bytes. */
const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const { buffer, byteOffset, length } = bytes.byteOffset % wordLength === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(buffer, byteOffset, Math.floor(length / wordLength));
};

interface Window {
  /** What is looked for, and where in it the word stands. */
  bytes: Buffer;
  offset: number;
  secret: string;
}

/**
 * Answers the secrets that stand in the bytes, as they are or in hex, base64, JSON or percent form. Whatever has seven bytes or
 * more covers an aligned word, which is one of its first four: so one in four bytes is looked at.
 */
export const createSearch = (secrets: Iterable<string>): ((bytes: Buffer) => Set<string>) => {
  const windows = new Map<number, Window[]>();
  for (const secret of secrets) {
    for (const text of formsOf(secret)) {
      const bytes = Buffer.from(text);
      for (let offset = 0; offset < wordLength; offset += 1) {
        const [word = 0] = wordsOf(new Uint8Array(bytes.subarray(offset, offset + wordLength)));
        windows.set(word, [...(windows.get(word) ?? []), { bytes, offset, secret }]);
      }
    }
  }
  // A table that fits into the cache answers for nearly all words; for many secrets it has to be larger.
  const unused = windows.size > 2_000 ? 8 : 14;
  const placeOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> unused;
  const mayBe = new Uint8Array(2 ** (32 - unused));
  for (const word of windows.keys()) mayBe[placeOf(word)] = 1;
  return (bytes) => {
    const found = new Set<string>();
    const words = wordsOf(bytes);
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] as number;
      if (mayBe[placeOf(word)] === 0) continue;
      for (const { bytes: wanted, offset, secret } of windows.get(word) ?? []) {
        const start = at * wordLength - offset;
        if (
          start >= 0 &&
          start + wanted.length <= bytes.length &&
          bytes.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0
        )
          found.add(secret);
      }
    }
    return found;
  };
};
