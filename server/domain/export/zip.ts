// A zip archive that is made while it is sent: sizes follow what they are the sizes of.
import { crc32, createDeflateRaw } from 'node:zlib';

interface ZipEntry {
  name: string;
  body: AsyncIterable<Buffer>;
}

/** 1 January 2000: the same tables give the same files. */
const date = ((2000 - 1980) << 9) | (1 << 5) | 1;
/** Names are UTF-8, sizes follow. */
const flags = 0x0808;
const version = 20;
const deflated = 8;

const fields = (...parts: [value: number, bytes: 2 | 4][]): Buffer => {
  const buffer = Buffer.alloc(parts.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of parts) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    else buffer.writeUInt32LE(value, at);
    at += bytes;
  }
  return buffer;
};

interface Written {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** Up to 4 GB each, and in all. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  let offset = 0;
  const count = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    if (offset > 0xff_ff_ff_ff) throw new Error('the archive is larger than 4 GB');
    return bytes;
  };
  const written: Written[] = [];
  for (const { name: text, body } of entries) {
    const name = Buffer.from(text);
    const one: Written = { name, crc: 0, packed: 0, size: 0, offset };
    yield count(
      Buffer.concat([
        fields(
          [0x04034b50, 4],
          [version, 2],
          [flags, 2],
          [deflated, 2],
          [0, 2],
          [date, 2],
          [0, 4],
          [0, 4],
          [0, 4],
          [name.length, 2],
          [0, 2],
        ),
        name,
      ]),
    );
    const packer = createDeflateRaw({ level: 3 });
    const feeding = (async () => {
      for await (const piece of body) {
        one.crc = crc32(piece, one.crc);
        one.size += piece.length;
        if (!packer.write(piece)) await new Promise((done) => packer.once('drain', done));
      }
      packer.end();
    })();
    feeding.catch((error: Error) => packer.destroy(error));
    try {
      for await (const piece of packer as AsyncIterable<Buffer>) {
        one.packed += piece.length;
        yield count(piece);
      }
      await feeding;
    } finally {
      packer.destroy();
    }
    yield count(fields([0x08074b50, 4], [one.crc, 4], [one.packed, 4], [one.size, 4]));
    written.push(one);
  }
  const start = offset;
  for (const { name, crc, packed, size, offset: place } of written) {
    yield count(
      Buffer.concat([
        fields(
          [0x02014b50, 4],
          [version, 2],
          [version, 2],
          [flags, 2],
          [deflated, 2],
          [0, 2],
          [date, 2],
          [crc, 4],
          [packed, 4],
          [size, 4],
          [name.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [place, 4],
        ),
        name,
      ]),
    );
  }
  yield count(
    fields(
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [written.length, 2],
      [written.length, 2],
      [offset - start, 4],
      [start, 4],
      [0, 2],
    ),
  );
}
