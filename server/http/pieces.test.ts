import { expect, test } from 'vitest';
import { pieces } from './pieces.ts';

const together = (text: string): { count: number; text: string } => {
  const parts = [...pieces(text, () => undefined)];
  return { count: parts.length, text: parts.map((part) => part.toString()).join('') };
};

test('a text comes out as it went in, wherever its characters fall', () => {
  expect(together('')).toEqual({ count: 0, text: '' });
  expect(together('short')).toEqual({ count: 1, text: 'short' });
  // One, two and three bytes before a row of characters that take two units each: both parities meet a cut.
  for (const start of ['', 'a', 'aü', 'aü€']) {
    const text = start + '😀'.repeat(400_000);
    expect(together(text).text === text).toBe(true);
  }
});

test('each piece is told of when it is asked for, and not before', () => {
  let told = 0;
  const parts = pieces('x'.repeat(600_000), () => {
    told += 1;
  });
  expect(told).toBe(0);
  parts.next();
  expect(told).toBe(1);
});
