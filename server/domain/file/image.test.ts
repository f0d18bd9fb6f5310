import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { largePictures, smallPictures } from '../../../test/support/worst-pictures.ts';
import type { Storage } from '../../stored-files.ts';
import { imageForm } from './image.ts';
import { readImageHeader } from './image-header.ts';

const storageOf = (bytes: Buffer): Storage =>
  ({ read: (_key: string, from: number, to: number) => Readable.from([bytes.subarray(from, to + 1)]) }) as never;
const formOf = (text: string) => {
  const bytes = Buffer.from(text);
  return imageForm(storageOf(bytes), { token: 'att', size: bytes.length, mimetype: 'image/svg+xml' });
};

test.each([
  ['by its attributes', '<svg width="200" height="1000"/>', { width: 200, height: 1_000 }],
  [
    'in pixels, with spaces and other quotes',
    "<?xml version='1.0'?>\n<SVG\n width = ' 20.4px '\theight='10' >",
    { width: 20, height: 10 },
  ],
  ['by its view box', '<svg viewBox=" 0,0 30 , 40 ">', { width: 30, height: 40 }],
  [
    'by its view box where an attribute has another unit',
    '<svg width="100%" height="2em" viewBox="0 0 30 40">',
    { width: 30, height: 40 },
  ],
  ['not by what has another name', '<svg data-width="5" stroke-width="3" height="7">', undefined],
  ['not by what is inside', '<svg><rect width="5" height="5"/></svg>', undefined],
  ['not when it is too large', '<svg width="100000" height="5">', undefined],
  ['not when it is no number', '<svg width="1.2.3e" height="5">', undefined],
  ['not when it is no SVG', '<p width="5" height="5">', undefined],
  ['not when its tag has no end', '<svg width="5" height="5"', undefined],
])('the size of an SVG: %s', async (_case, text, form) => {
  expect(await formOf(text)).toEqual(form);
});

test('a picture that is a lot of work has no size', async () => {
  for (const { make, contentType } of smallPictures) {
    const bytes = make();
    expect(
      await imageForm(storageOf(bytes), { token: 'att', size: bytes.length, mimetype: contentType }),
    ).toBeUndefined();
  }
  const manySteps = largePictures.filter(({ name }) => /million/.test(name));
  // One whose header says a size that no picture has is not shown with it either.
  const headers = manySteps.map(({ make }) => readImageHeader(make()));
  expect(headers.filter((header) => header !== undefined && header.width <= 65_535)).toEqual([]);
});
