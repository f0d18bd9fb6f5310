import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { readImageHeader } from './image-header.ts';

const [width, height] = [64, 40];
const picture = (): Transformer =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(120), width, height);

test.each([
  ['PNG', () => picture().png(), 10],
  ['JPEG', () => picture().jpeg(80), 7.5],
  ['WebP', () => picture().webp(80), 10],
  ['lossless WebP', () => picture().webpLossless(), 10],
  ['BMP', () => picture().bmp(), 10],
  ['TIFF', () => picture().tiff(), 10],
  ['ICO', () => picture().ico(), 10],
  ['AVIF, which is never decoded', () => picture().avif({ speed: 10 }), Number.POSITIVE_INFINITY],
])('%s: as large as the library says', async (_kind, make, perPixel) => {
  const bytes = await make();
  expect(await new Transformer(bytes).metadata()).toMatchObject({ width, height });
  expect(readImageHeader(bytes)).toEqual({ width, height, memory: width * height * perPixel });
});

const pngOf = (depth: number, type: number, side: number, ...chunks: string[]): Buffer => {
  const header = Buffer.alloc(25);
  header.write('\0\0\0\rIHDR', 'latin1');
  header.writeUInt32BE(side, 8);
  header.writeUInt32BE(side, 12);
  header[16] = depth;
  header[17] = type;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    header,
    ...chunks.map((name) => Buffer.from(`\0\0\0\0${name}\0\0\0\0`, 'latin1')),
  ]);
};

test('what decoding takes follows from channels, depth and transparency', () => {
  const memory = (bytes: Buffer): number => (readImageHeader(bytes)?.memory ?? 0) / 100 / 2.5;
  expect(
    [
      pngOf(8, 0, 10),
      pngOf(8, 2, 10),
      pngOf(8, 3, 10, 'tRNS', 'IDAT'),
      pngOf(16, 2, 10, 'tRNS'),
      pngOf(16, 6, 10),
      pngOf(8, 2, 10, 'IDAT', 'tRNS'),
    ].map(memory),
  ).toEqual([1, 3, 4, 8, 8, 3]);
});

test('of several frames the largest counts', () => {
  const frame = (marker: number, side: number): Buffer =>
    Buffer.from([0xff, marker, 0, 11, 8, side >> 8, side & 255, side >> 8, side & 255, 3, 0, 0, 0]);
  const jpeg = (...frames: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), ...frames, Buffer.from([0xff, 0xda, 0, 2]), Buffer.alloc(16)]);
  expect(readImageHeader(jpeg(frame(0xc0, 8), frame(0xc2, 6_000)))).toEqual({
    width: 6_000,
    height: 6_000,
    memory: 36_000_000 * 13.5,
  });
  const gif = Buffer.concat([
    Buffer.from('GIF89a\u0008\0\u0008\0\0\0\0!\u00f9\u0004\0\0\0\0\0,\0\0\0\0', 'latin1'),
    Buffer.from([0x60, 0xea, 0x60, 0xea, 0]),
  ]);
  expect(readImageHeader(gif)).toMatchObject({ width: 60_000, height: 60_000 });
});

test('what is cut off, or no image, is none', () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(100),
    Buffer.from('GIF89a'),
    pngOf(8, 9, 10),
    pngOf(8, 2, 0),
    Buffer.from('89504e470d0a1a0a0000', 'hex'),
    Buffer.from(`RIFF\0\0\0\0WEBP${'x'.repeat(40)}`),
    Buffer.from([0, 0, 1, 0, 255, 255, ...Array.from({ length: 40 }, () => 255)]),
  ]) {
    expect(readImageHeader(bytes)).toBeUndefined();
  }
});
