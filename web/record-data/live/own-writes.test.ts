import { expect, test } from 'vitest';
import { createOwnWrites } from './own-writes.ts';

test('a write that was answered first is not applied again when the stream tells of it', () => {
  const own = createOwnWrites();
  expect(own.answered('oprA')).toBe('not heard');
  expect(own.heard('oprA', true)).toBe(true);
  expect(own.heard('oprB', true)).toBe(false);
});

test('an answer that comes after the stream told of the write changes nothing any more', () => {
  const own = createOwnWrites();
  expect(own.heard('oprA', true)).toBe(false);
  expect(own.answered('oprA')).toBe('applied');
  expect(own.heard('oprB', false)).toBe(false);
  expect(own.answered('oprB')).toBe('passed over');
  expect(own.answered(undefined)).toBe('not heard');
});
