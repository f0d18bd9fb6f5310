// Width, height and thumbnails of images. A few at a time: each is in memory as a whole, decoded as well.
import type { Transformer } from '@napi-rs/image';
import { optionalPart } from '../../optional-part.ts';
import type { FileFacts } from './file.ts';
import { readImageHeader } from './image-header.ts';
import type { Storage } from '../../stored-files.ts';

export interface ImageForm {
  width: number;
  height: number;
}

/** Larger files are not looked at. */
const mostBytes = 20_000_000;
/** An image that takes more bytes of memory is shown as it is: it has a size, and no thumbnails. */
const mostMemory = 200_000_000;
/** No side is longer in any image that a browser shows. */
const longestSide = 65_535;

const heights = { sm: 56, lg: 525 } as const;
type ThumbnailSize = keyof typeof heights;

const known = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/avif',
  'image/tiff',
  'image/x-icon',
]);
const isVector = (mimetype: string): boolean => mimetype === 'image/svg+xml';

const wholeOf = async (storage: Storage, key: string, size: number): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of storage.read(key, 0, size - 1)) pieces.push(piece);
  return Buffer.concat(pieces);
};

let last: Promise<unknown> = Promise.resolve();

/** One after the other. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const own = last.then(work, work);
  last = own.catch(() => undefined);
  return own;
};

export const pictureLibrary = optionalPart<{ Transformer: typeof Transformer }>({
  name: 'pictures',
  without: 'pictures have no size and no thumbnails until it can be (package @napi-rs/image)',
  load: () => import('@napi-rs/image'),
});

const number = (text: string | undefined): number => Math.round(Number.parseFloat(text ?? ''));

/** By its attributes, or else by its view box. */
const vectorForm = (text: string): ImageForm | undefined => {
  const start = text.search(/<svg\b/i);
  const end = text.indexOf('>', start);
  if (start < 0 || end < 0) return undefined;
  const tag = text.slice(start, end + 1);
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1];
  const box =
    attribute('viewBox')
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const sizeOf = (name: string, fallback: string | undefined): number =>
    /^\s*[\d.]+(px)?\s*$/.test(attribute(name) ?? '') ? number(attribute(name)) : number(fallback);
  const [width, height] = [sizeOf('width', box[2]), sizeOf('height', box[3])];
  return width > 0 && height > 0 && width < 100_000 && height < 100_000 ? { width, height } : undefined;
};

/** What the decoder says. Undefined: it does not understand the bytes; what claims to be an image need not be one. */
const decodedForm = async (Image: typeof Transformer, bytes: Buffer): Promise<ImageForm | undefined> => {
  try {
    const { width, height, orientation } = await new Image(bytes).metadata(true);
    if (!(width > 0 && height > 0)) return undefined;
    return orientation !== undefined && orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
};

/** Undefined for what is no image, or none that is understood. Throws when nobody can tell now: the storage does not answer, or the library is missing. */
export const imageForm = async (
  storage: Storage,
  { token, size, mimetype }: Pick<FileFacts, 'token' | 'size' | 'mimetype'>,
): Promise<ImageForm | undefined> => {
  if (size === 0 || size > mostBytes) return undefined;
  if (isVector(mimetype)) return vectorForm((await wholeOf(storage, token, Math.min(size, 65_536))).toString());
  if (!known.has(mimetype)) return undefined;
  return inTurn(async () => {
    const bytes = await wholeOf(storage, token, size);
    const header = readImageHeader(bytes);
    if (header === undefined || Math.max(header.width, header.height) > longestSide) return undefined;
    if (header.memory > mostMemory) return { width: header.width, height: header.height };
    const { Transformer: Image } = await pictureLibrary.load();
    return decodedForm(Image, bytes);
  });
};

/** At one byte a pixel: known without reading the file. */
const isTooLarge = ({ width, height }: ImageForm): boolean => width * height > mostMemory;

interface Thumbnail {
  key: string;
  size: number;
  mimetype: string;
}

/** Made when it is first asked for. Undefined: the image itself is as good, or all there is. */
export const thumbnailOf = async (
  storage: Storage,
  { token, size, mimetype, width, height }: FileFacts,
  wanted: ThumbnailSize,
): Promise<Thumbnail | undefined> => {
  if (
    width === null ||
    height === null ||
    isVector(mimetype) ||
    height <= heights[wanted] ||
    isTooLarge({ width, height })
  )
    return undefined;
  const key = `${token}.${wanted}`;
  const made = await storage.size(key);
  if (made !== undefined) return { key, size: made, mimetype: 'image/webp' };
  return inTurn(async () => {
    try {
      const before = await storage.size(key);
      if (before !== undefined) return { key, size: before, mimetype: 'image/webp' };
      const bytes = await wholeOf(storage, token, size);
      if ((readImageHeader(bytes)?.memory ?? Number.POSITIVE_INFINITY) > mostMemory) return undefined;
      const { Transformer: Image } = await pictureLibrary.load();
      const image = await new Image(bytes)
        .rotate()
        .resize(Math.max(1, Math.round((width * heights[wanted]) / height)), heights[wanted])
        .webp(80);
      await storage.write(
        key,
        (async function* () {
          yield image;
        })(),
        image.length,
      );
      return { key, size: image.length, mimetype: 'image/webp' };
    } catch {
      return undefined;
    }
  });
};
