// Finds any of many secrets in any amount of bytes, in one pass over them.

/** The characters of base64 that depend on the secret alone when `before` bytes, or three more, stand before it. */
const inBase64 = (secret: Buffer, before: number): string =>
  Buffer.concat([Buffer.alloc(before), secret]).toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));

const formsOf = (secret: string): Set<string> => {
  const bytes = Buffer.from(secret);
  return new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex'), ...[0, 1, 2].map((before) => inBase64(bytes, before))]);
};

const head = 4;

/** Answers the secrets that stand in the bytes, as they are or in hex, base64, JSON or percent form. */
export const createSearch = (secrets: Iterable<string>): ((bytes: Buffer) => Set<string>) => {
  const byHead = new Map<number, { bytes: Buffer; secret: string }[]>();
  const mayBegin = new Uint8Array(1 << 24);
  for (const secret of secrets) {
    for (const text of formsOf(secret)) {
      const bytes = Buffer.from(text);
      const key = bytes.readUInt32BE(0);
      byHead.set(key, [...(byHead.get(key) ?? []), { bytes, secret }]);
      mayBegin[key & 0xffffff] = 1;
    }
  }
  return (bytes) => {
    const found = new Set<string>();
    let key = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      key = ((key << 8) | (bytes[at] as number)) >>> 0;
      if (mayBegin[key & 0xffffff] === 0) continue;
      const start = at - head + 1;
      for (const one of byHead.get(key) ?? []) if (start >= 0 && bytes.compare(one.bytes, 0, one.bytes.length, start, Math.min(start + one.bytes.length, bytes.length)) === 0) found.add(one.secret);
    }
    return found;
  };
};
