import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

const depthOf = (value: unknown): number => (typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);

test('tells the depth of any JSON, whatever stands in its texts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.dictionary(fc.constantFrom('a"', '[[', '{\\', '\\"]'), fc.constantFrom('[{"', '\\', '\\\\', '\\"[['))), fc.nat(8), fc.constantFrom(undefined, 1), (value, most, space) => {
      expect(isDeeperThan(JSON.stringify(value, null, space), most)).toBe(depthOf(value) > most);
    }),
  );
});

test('of what is no JSON it comes to an end', () => {
  for (const text of ['', '"', '"\\', '[[[', ']]]', '{"a', '\\"[', '[[["']) expect(typeof isDeeperThan(text, 2)).toBe('boolean');
});
