// Text of a file whose encoding nobody tells, piece by piece.
import { TextDecoder } from 'node:util';
import { bytesLooked, encodingOf } from '@rowhouse/contract/text-encoding.ts';

/** Without the byte order mark. The first piece is as long as it takes to tell. */
export async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    if (decoder !== undefined) {
      // Long texts live in memory of their own, which is cleared late.
      for (let at = 0; at < piece.length; at += bytesLooked)
        yield decoder.decode(piece.subarray(at, at + bytesLooked), { stream: true });
      continue;
    }
    held.push(piece);
    size += piece.length;
    if (size < bytesLooked) continue;
    const beginning = Buffer.concat(held);
    held = [];
    decoder = new TextDecoder(encodingOf(beginning));
    yield decoder.decode(beginning, { stream: true });
  }
  const rest = Buffer.concat(held);
  decoder ??= new TextDecoder(encodingOf(rest));
  yield decoder.decode(rest);
}
