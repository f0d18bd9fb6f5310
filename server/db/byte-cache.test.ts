import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteCache } from './byte-cache.ts';

test('what was not asked for longest goes first', () => {
  const cache = createByteCache<string>(6, (value) => value.length);
  cache.set('a', '123');
  cache.set('b', '123');
  cache.get('a');
  cache.set('c', '1');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['123', undefined, '1']);
});

test('what is larger than the whole cache is not kept, and pushes nothing out', () => {
  const cache = createByteCache<string>(6, (value) => value.length);
  cache.set('a', '123');
  cache.set('b', '1234567');
  expect([cache.get('a'), cache.get('b')]).toEqual(['123', undefined]);
});

test('it never holds more bytes than it may, and counts what it holds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ maxLength: 12 }), fc.boolean())),
      (steps) => {
        const cache = createByteCache<string>(20, (value) => value.length);
        for (const [key, value, isSet] of steps) {
          if (isSet) cache.set(key, value);
          else cache.delete(key);
          const held = ['a', 'b', 'c', 'd']
            .map((each) => cache.get(each)?.length ?? 0)
            .reduce((sum, length) => sum + length, 0);
          expect(cache.bytes).toBe(held);
          expect(held).toBeLessThanOrEqual(20);
        }
      },
    ),
  );
});
