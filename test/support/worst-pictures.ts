// Pictures that are a lot of work to look at. Their headers are looked at by the server itself, on the thread that answers requests.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export interface WorstPicture {
  name: string;
  contentType: string;
  make: () => Buffer;
}

const largest = 20_000_000;
const filled = (head: Buffer, unit: Buffer, size = largest): Buffer =>
  Buffer.concat([head, Buffer.alloc(Math.floor((size - head.length) / unit.length) * unit.length, unit)]);
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const chunk = (name: string, body: Buffer): Buffer => {
  const named = Buffer.concat([bytes(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

const pngStart = (side: number, depth: number): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, 6, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header)]);
};

const blankPng = (side: number): Buffer =>
  Buffer.concat([
    pngStart(side, 16),
    chunk('IDAT', deflateSync(Buffer.alloc(side * (8 * side + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** All its pictures are one PNG of many chunks. */
const icon = (pictures: number, size: number): Buffer => {
  const head = Buffer.alloc(6 + 16 * pictures);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures, 4);
  for (let at = 6; at < head.length; at += 16) head.writeUInt32LE(head.length, at + 12);
  return filled(Buffer.concat([head, pngStart(16, 8)]), chunk('teXt', Buffer.alloc(0)), size);
};

/** A box of ISO media: its length, its name, what is in it. */
const box = (name: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + body.length);
  return Buffer.concat([length, bytes(name), body]);
};

const avifStart = box('ftyp', bytes('avif\0\0\0\0avifmif1'));

/** Of one pixel, each in the one before. */
const nestedBoxes = (levels: number): Buffer => {
  const size = 8 * levels;
  const made = Buffer.alloc(size);
  for (let at = 0; at < size; at += 8) {
    made.writeUInt32BE(size - at, at);
    made.write('meta', at + 4, 'latin1');
  }
  return made;
};

/** Says that it is of that size; has no pixels. */
const webp = (side: number): Buffer => {
  const canvas = Buffer.alloc(10);
  canvas.writeUIntLE(side - 1, 4, 3);
  canvas.writeUIntLE(side - 1, 7, 3);
  const length = Buffer.from([10, 0, 0, 0]);
  return Buffer.concat([bytes('RIFF\0\0\0\0WEBPVP8X'), length, canvas, Buffer.alloc(1_000)]);
};

const svg = (inside: string): Buffer => bytes(`<svg ${inside.repeat(Math.floor(65_000 / inside.length))}>`);

/** Small enough for every test run. */
export const smallPictures: WorstPicture[] = [
  { name: 'SVG of 65 kB of spaces', contentType: 'image/svg+xml', make: () => svg(' ') },
  { name: 'SVG of thousands of attributes without an end', contentType: 'image/svg+xml', make: () => svg('width = ') },
  { name: 'SVG without an end of its tag', contentType: 'image/svg+xml', make: () => bytes('<svg '.repeat(13_000)) },
  {
    name: 'ICO of 20,000 pictures that are one PNG of many chunks',
    contentType: 'image/x-icon',
    make: () => icon(20_000, 700_000),
  },
];

export const largePictures: WorstPicture[] = [
  {
    name: 'ICO of 65,535 pictures that are one PNG of many chunks',
    contentType: 'image/x-icon',
    make: () => icon(65_535, largest),
  },
  { name: 'PNG of 309 kB that is decoded to 640 MB', contentType: 'image/png', make: () => blankPng(6_300) },
  {
    name: 'PNG of 1.6 million chunks',
    contentType: 'image/png',
    make: () => filled(pngStart(16, 8), chunk('teXt', Buffer.alloc(0))),
  },
  {
    name: 'JPEG of 5 million frames',
    contentType: 'image/jpeg',
    make: () => filled(Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xc0, 0, 2])),
  },
  {
    name: 'JPEG of 20 million fill bytes',
    contentType: 'image/jpeg',
    make: () => filled(Buffer.from([0xff, 0xd8]), Buffer.from([0xff])),
  },
  {
    name: 'GIF of 10 million blocks',
    contentType: 'image/gif',
    make: () => filled(bytes('GIF89a\u0008\0\u0008\0\0\0\0!\u00fe'), Buffer.from([1, 0x20])),
  },
  {
    name: 'WebP of 2.5 million frames',
    contentType: 'image/webp',
    make: () => filled(bytes('RIFF\0\0\0\0WEBP'), bytes('ANMF\0\0\0\0')),
  },
  { name: 'WebP that says 16,383 pixels each way', contentType: 'image/webp', make: () => webp(16_383) },
  { name: 'WebP that says 5,000 pixels each way', contentType: 'image/webp', make: () => webp(5_000) },
  {
    name: 'AVIF of 2.5 million boxes',
    contentType: 'image/avif',
    make: () => filled(avifStart, box('free', Buffer.alloc(0))),
  },
  {
    name: 'AVIF of a million sizes',
    contentType: 'image/avif',
    make: () => filled(avifStart, box('ispe', Buffer.alloc(12, 0xff))),
  },
  {
    name: 'AVIF of 2 million boxes in each other',
    contentType: 'image/avif',
    make: () => Buffer.concat([avifStart, nestedBoxes(2_000_000)]),
  },
  {
    name: 'PDF of 20 MB of objects',
    contentType: 'application/pdf',
    make: () => filled(bytes('%PDF-1.7\n'), bytes('1 0 obj<</Kids[1 0 R]>>endobj\n')),
  },
  {
    name: 'TIFF of 65,535 entries',
    contentType: 'image/tiff',
    make: () => Buffer.concat([bytes('II*\0\u0008\0\0\0\u00ff\u00ff'), Buffer.alloc(65_535 * 12, 1)]),
  },
  {
    name: 'PDF that claims to be a PNG',
    contentType: 'image/png',
    make: () => Buffer.concat([bytes('%PDF-1.7\n'), deflateRawSync(Buffer.alloc(1_000_000))]),
  },
];
