// How large an image is, and what decoding it takes, from its first bytes alone. The library decodes before it tells a size: a PNG
// of 300 kB can take 640 MB. It goes by the contents of a file, so this does too, whatever the file claims to be.

interface ImageHeader {
  width: number;
  height: number;
  /** Bytes of memory that a thumbnail of it takes. */
  memory: number;
}

interface Frame {
  width: number;
  height: number;
  /** Of the decoded image. */
  bytesPerPixel: number;
  /** Of what the decoder holds beside it. */
  besides?: number;
}

/** Measured with thumbnails of 25 megapixels: the decoded image, what is left of it while it is made smaller, and a copy. */
const copies = 2.5;

const pngChannels: Record<number, number> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** Chunks, markers, blocks and pictures of a file that are looked at. One of more is no image: no real one has as many before its pixels. */
const mostSteps = 100_000;

/** To be called for each of them. */
type Step = () => void;

const countSteps = (): Step => {
  let left = mostSteps;
  return () => {
    left -= 1;
    if (left < 0) throw new RangeError('too many steps');
  };
};

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const readPng = (bytes: Buffer, step: Step, from = 0): Frame | undefined => {
  if (bytes.length < from + 33) return undefined;
  const [depth, type] = [bytes.readUInt8(from + 24), bytes.readUInt8(from + 25)];
  const channels = pngChannels[type];
  if (channels === undefined) return undefined;
  // A chunk tRNS, which adds transparency, comes before the pixels.
  let isTransparent = false;
  for (let at = from + 33; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    step();
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') break;
    isTransparent ||= name === 'tRNS';
  }
  return {
    width: bytes.readUInt32BE(from + 16),
    height: bytes.readUInt32BE(from + 20),
    bytesPerPixel: (channels + (isTransparent ? 1 : 0)) * (depth === 16 ? 2 : 1),
  };
};

/** The largest of its frames: which of several a decoder takes is for the decoder to say. */
const readJpeg = (bytes: Buffer, step: Step): Frame[] => {
  const frames: Frame[] = [];
  for (let at = 2; at + 10 <= bytes.length; ) {
    step();
    if (bytes[at] !== 0xff) return [];
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) break;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    const components = bytes.readUInt8(at + 9);
    // A progressive one has all its coefficients in memory, of two bytes.
    if (isFrame)
      frames.push({
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        bytesPerPixel: components,
        besides: (marker & 3) === 2 ? 2 * components : 0,
      });
    at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8) ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return frames;
};

const tableLength = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The canvas, and the first frame, which may claim to be larger. */
const readGif = (bytes: Buffer, step: Step): Frame[] => {
  if (bytes.length < 13) return [];
  const frames: Frame[] = [{ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), bytesPerPixel: 4 }];
  let at = 13 + tableLength(bytes.readUInt8(10));
  while (bytes[at] === 0x21) {
    at += 2;
    step();
    for (; (bytes[at] ?? 0) !== 0; at += 1 + (bytes[at] as number)) step();
    at += 1;
  }
  if (bytes[at] === 0x2c && at + 9 <= bytes.length)
    frames.push({ width: bytes.readUInt16LE(at + 5), height: bytes.readUInt16LE(at + 7), bytesPerPixel: 4 });
  return frames;
};

const readWebp = (bytes: Buffer, step: Step): Frame[] => {
  const frames: Frame[] = [];
  const add = (width: number, height: number): void => void frames.push({ width, height, bytesPerPixel: 4 });
  for (let at = 12; at + 18 <= bytes.length; ) {
    step();
    const [name, length, from] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4), at + 8];
    if (name === 'VP8X') add(bytes.readUIntLE(from + 4, 3) + 1, bytes.readUIntLE(from + 7, 3) + 1);
    else if (name === 'VP8 ') add(bytes.readUInt16LE(from + 6) & 0x3fff, bytes.readUInt16LE(from + 8) & 0x3fff);
    else if (name === 'VP8L') {
      const packed = bytes.readUInt32LE(from + 1);
      add((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    } else if (name === 'ANMF' && from + 12 <= bytes.length)
      add(bytes.readUIntLE(from + 6, 3) + 1, bytes.readUIntLE(from + 9, 3) + 1);
    at = from + length + (length % 2);
  }
  return frames;
};

/** Of a bitmap: what follows the header of its file. */
const readBitmap = (bytes: Buffer, from: number): Frame | undefined => {
  if (bytes.length < from + 16) return undefined;
  if (bytes.readUInt32LE(from) === 12)
    return { width: bytes.readUInt16LE(from + 4), height: bytes.readUInt16LE(from + 6), bytesPerPixel: 4 };
  return {
    width: Math.abs(bytes.readInt32LE(from + 4)),
    height: Math.abs(bytes.readInt32LE(from + 8)),
    bytesPerPixel: 4,
  };
};

const readIcon = (bytes: Buffer, step: Step): Frame[] => {
  const frames: Frame[] = [];
  const count = bytes.readUInt16LE(4);
  for (let at = 6; at + 16 <= bytes.length && frames.length < count; at += 16) {
    step();
    const from = bytes.readUInt32LE(at + 12);
    const isPng = bytes.subarray(from, from + 8).equals(pngSignature);
    const frame = isPng ? readPng(bytes, step, from) : readBitmap(bytes, from);
    if (frame === undefined) return [];
    frames.push(isPng ? frame : { ...frame, height: frame.height / 2 });
  }
  return frames;
};

const readTiff = (bytes: Buffer): Frame | undefined => {
  const isLittle = bytes[0] === 0x49;
  const short = (at: number): number =>
    at + 2 > bytes.length ? 0 : isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  const long = (at: number): number =>
    at + 4 > bytes.length ? 0 : isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  const directory = long(4);
  const tags = new Map<number, number>();
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + 12 * entry;
    const [type, count] = [short(at + 2), long(at + 4)];
    // Several values that have no room in the entry are elsewhere; the first of them stands for all.
    const place = type === 3 && count > 2 ? long(at + 8) : at + 8;
    tags.set(short(at), type === 3 ? short(place) : long(place));
  }
  const [width, height] = [tags.get(256), tags.get(257)];
  if (width === undefined || height === undefined) return undefined;
  return { width, height, bytesPerPixel: Math.max(1, (tags.get(277) ?? 1) * Math.ceil((tags.get(258) ?? 8) / 8)) };
};

/** Its decoder takes 33 bytes a pixel, and goes by a size deep inside: it is told of, and never decoded. */
const readAvif = (bytes: Buffer): Frame[] => {
  const frames: Frame[] = [];
  const beginning = bytes.subarray(0, 65_536);
  for (
    let at = beginning.indexOf('ispe');
    at >= 0 && at + 16 <= beginning.length;
    at = beginning.indexOf('ispe', at + 4)
  ) {
    frames.push({
      width: beginning.readUInt32BE(at + 8),
      height: beginning.readUInt32BE(at + 12),
      bytesPerPixel: Number.POSITIVE_INFINITY,
    });
  }
  return frames;
};

const framesOf = (bytes: Buffer): (Frame | undefined)[] => {
  const step = countSteps();
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (bytes.length < 16) return [];
  if (bytes.subarray(0, 8).equals(pngSignature)) return [readPng(bytes, step)];
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes, step);
  if (text(0, 4) === 'GIF8') return readGif(bytes, step);
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return readWebp(bytes, step);
  if (text(0, 2) === 'BM') return [readBitmap(bytes, 14)];
  if (['II*\0', 'MM\0*'].includes(text(0, 4))) return [readTiff(bytes)];
  if (text(0, 4) === '\0\0\u0001\0') return readIcon(bytes, step);
  if (text(4, 8) === 'ftyp' && /avif|avis/.test(text(8, 32))) return readAvif(bytes);
  return [];
};

/** None for a file that is cut off in the middle of a number, or takes too many steps. */
const wholeFramesOf = (bytes: Buffer): (Frame | undefined)[] => {
  try {
    return framesOf(bytes);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
};

/** Undefined for what is no image, or of no kind that is known here. */
export const readImageHeader = (bytes: Buffer): ImageHeader | undefined => {
  const frames = wholeFramesOf(bytes).filter(
    (frame) => frame !== undefined && frame.width > 0 && frame.height > 0,
  ) as Frame[];
  const [largest] = frames.toSorted((one, other) => other.width * other.height - one.width * one.height);
  if (largest === undefined) return undefined;
  const memoryOf = ({ width, height, bytesPerPixel, besides = 0 }: Frame): number =>
    width * height * (bytesPerPixel * copies + besides);
  return {
    width: largest.width,
    height: largest.height,
    memory: frames.reduce((most, frame) => Math.max(most, memoryOf(frame)), 0),
  };
};
