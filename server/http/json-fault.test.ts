import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultIn, faultOf } from './json-fault.ts';

const texts = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  fc.constant('[-1.5e+7, {"a": "\\u00e9\\n", "b": [true, false, null, [], {}, 0]}]'),
);

const messageFor = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
};

const isJson = (text: string): boolean => messageFor(text) === undefined;

test.each([
  ['', 0],
  ['{', 1],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[1 2]', 3],
  ["{'a':1}", 1],
  ['{"a" 1}', 5],
  ['{"a":1}}', 7],
  ['[1}', 2],
  ['01', 1],
  ['1.', 2],
  ['-x', 1],
  ['nul', 3],
  ['nuLl', 2],
  ['"a\nb"', 2],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['undefined', 0],
  ['[]x', 2],
])('%j goes wrong at %i', (text, at) => {
  expect(faultIn(text)).toBe(at);
  expect(faultOf(text, messageFor(text) as string)).toBe(at);
});

test('where JSON.parse says what is wrong, it is the same place', () => {
  fc.assert(
    fc.property(
      texts,
      fc.nat(),
      fc.constantFrom('"', '{', ']', ',', ':', 'x', '1', '\\', '-', '\n', ' '),
      (text, seed, character) => {
        const at = seed % (text.length + 1);
        const changed = `${text.slice(0, at)}${character}${text.slice(at)}`;
        const message = messageFor(changed);
        fc.pre(message !== undefined);
        expect([changed, faultOf(changed, message as string)]).toEqual([changed, faultIn(changed)]);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('what is cut off goes wrong at its end', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      const cut = text.slice(0, seed % text.length);
      fc.pre(!isJson(cut));
      expect(faultIn(cut)).toBe(cut.length);
    }),
  );
});

test('a character that can stand nowhere is where it goes wrong', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      const at = seed % (text.length + 1);
      expect(faultIn(`${text.slice(0, at)}\u0001${text.slice(at)}`)).toBe(at);
    }),
  );
});

test('however deep it goes, it is found', () => {
  expect(faultIn('['.repeat(1_000_000))).toBe(1_000_000);
  expect(faultIn(`${'['.repeat(500_000)}${']'.repeat(500_001)}`)).toBe(1_000_000);
});
