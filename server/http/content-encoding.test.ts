import { Readable, Transform } from 'node:stream';
import { expect, test } from 'vitest';
import { decodeBody } from './content-encoding.ts';

/** Makes a thousand bytes of each. */
const swelling = () => {
  const seen = { bytes: 0 };
  const decoder = Object.assign(
    new Transform({
      highWaterMark: 1,
      transform(chunk: Buffer, _encoding, passOn) {
        for (const byte of chunk) {
          seen.bytes += 1;
          this.push(Buffer.alloc(1_000, byte));
        }
        passOn();
      },
    }),
    { bytesWritten: 0 },
  );
  return { decoder, seen };
};

test('a body that decodes to too much is not decoded any further, and its rest is thrown away', async () => {
  const { decoder, seen } = swelling();
  let sent = 0;
  const body = Readable.from(
    (function* () {
      for (; sent < 5_000; sent += 1) yield Buffer.from([sent % 256]);
    })(),
    { objectMode: false },
  );
  const ended = new Promise((done) => body.once('end', done));
  const decoded = decodeBody(body, 'gzip', decoder, 10_000);
  decoded.resume();
  const error = await new Promise((failed) => decoded.once('error', failed));
  expect(error).toMatchObject({ code: 'payload_too_large' });
  await ended;
  expect(sent).toBe(5_000);
  expect(seen.bytes).toBeLessThan(500);
});

test('nothing is decoded for a request that was answered', async () => {
  const { decoder, seen } = swelling();
  const body = Readable.from(
    Array.from({ length: 5_000 }, (_item, at) => Buffer.from([at % 256])),
    { objectMode: false },
  );
  const ended = new Promise((done) => body.once('end', done));
  const decoded = decodeBody(body, 'gzip', decoder, 10_000_000);
  decoded.once('data', decoded.stop);
  await ended;
  expect(seen.bytes).toBeLessThan(500);
});
