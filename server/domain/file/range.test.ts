import { expect, test } from 'vitest';
import { readRange } from './range.ts';

test.each([
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=90-', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=0-1000', { first: 0, last: 99 }],
  ['bytes=100-', null],
  ['bytes=-0', null],
  ['bytes=9-3', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-9', undefined],
  ['bytes=-', undefined],
  [undefined, undefined],
])('%s of 100 bytes', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

test('of an empty file there is no part', () => {
  expect(readRange('bytes=0-0', 0)).toBeNull();
  expect(readRange('bytes=-1', 0)).toBeNull();
});
