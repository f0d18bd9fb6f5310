// Text of a file whose encoding nobody tells: UTF-8 or UTF-16 by its byte order mark, UTF-8 if it is that, else Windows-1252.
import { TextDecoder } from 'node:util';

const looked = 65_536;

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    // What is cut off at the end may be the half of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

export const encodingOf = (beginning: Buffer): string => {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le';
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be';
  return isUtf8(beginning.subarray(0, looked)) ? 'utf-8' : 'windows-1252';
};

/** Without the byte order mark. The first piece is as long as it takes to tell. */
export async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    if (decoder !== undefined) {
      // Long texts live in memory of their own, which is cleared late.
      for (let at = 0; at < piece.length; at += looked)
        yield decoder.decode(piece.subarray(at, at + looked), { stream: true });
      continue;
    }
    held.push(piece);
    size += piece.length;
    if (size < looked) continue;
    const beginning = Buffer.concat(held);
    held = [];
    decoder = new TextDecoder(encodingOf(beginning));
    yield decoder.decode(beginning, { stream: true });
  }
  const rest = Buffer.concat(held);
  decoder ??= new TextDecoder(encodingOf(rest));
  yield decoder.decode(rest);
}
