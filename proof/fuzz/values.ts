// Values that nobody asked for: of the wrong type, at the edge of what fits, or never meant to be read.
import type { Random } from '../random.ts';

/** A stretch of raw JSON text, for what JSON.stringify would not write. */
export const raw = (json: string): string => `\uE000${json}\uE001`;

/** JSON text in which raw stretches stand as they are. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(
    /"\uE000((?:[^"\\\uE000\uE001]|\\.)*)\uE001"/g,
    (_all, inner: string) => JSON.parse(`"${inner}"`) as string,
  );

const nested = (open: string, close: string, depth: number, core: string): string =>
  open.repeat(depth) + core + close.repeat(depth);

const texts = [
  '',
  ' ',
  '\t\r\n',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e999',
  '[]',
  '{}',
  '"',
  "'",
  '\\',
  '%',
  '_',
  '%s%n',
  '${7*7}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  '__id',
  '__auto_number',
  '\0',
  'a\0b',
  '\u0001\u001f\u007f',
  '\uD800',
  '\uDC00x',
  'x\uDBFF',
  '\uFEFF',
  '\u202Egnp.exe',
  'e\u0301',
  'é',
  'ﬁ',
  'İ',
  'ß',
  '👩‍👩‍👧‍👦',
  '\u{10FFFF}',
  '\uFFFF',
  'ＡＢＣ',
  '0000-00-00',
  '0000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '294277-01-01T00:00:00Z',
  '2024-02-30',
  '2024-01-01T25:61:61Z',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20T00:00:00.000Z',
  'infinity',
  '-infinity',
  'now',
  'epoch',
  'UTC',
  'Europe/Berlin',
  'Mars/Olympus',
  '../../etc/localtime',
  '+99:99',
  '../',
  '..\\',
  '/etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://[::1',
  'https://a.example.com\\@b.example.com',
  '//x',
  "' or 1=1--",
  '"; drop schema rowhouse cascade; --',
  '<script>alert(1)</script>',
  '=1+1',
  '\r\nx-injected: 1',
  '999999999999999999999999',
  '0x10',
  '1_000',
  ' 1',
  '1 ',
  '１２',
  '٣',
  '-0',
  '1e-400',
  '.5',
  '5.',
  '+5',
  'a@b',
  'a@example.com',
  `${'a'.repeat(300)}@example.com`,
  'owner',
  'user',
  'grid',
  'asc',
  'and',
  'isWithIn',
] as const;

const numbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  -1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e20,
  1e21,
  1e100,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  5e-324,
  1e-7,
  65_536,
  20_001,
  1_001,
] as const;
const rawNumbers = [
  '1e999',
  '-1e999',
  '1E400',
  '0.1e-999',
  '-0',
  '123456789012345678901234567890',
  `1${'0'.repeat(400)}`,
  '1.0',
  '1e3',
] as const;

const longText = (random: Random): string => {
  const unit = random.pick(['a', 'ä', '漢', '👍', '\\', '"', '%', '(', 'a ']);
  return unit.repeat(random.pick([51, 101, 201, 256, 301, 1_001, 2_001, 10_001, 60_000]));
};

/** Structures that are large or deep, though within the limit on bodies. */
const monsters = (random: Random): unknown => {
  switch (random.below(8)) {
    case 0:
      return raw(nested('[', ']', random.pick([10, 100, 1_000, 20_000]), ''));
    case 1:
      return raw(nested('{"a":', '}', random.pick([10, 100, 1_000, 20_000]), 'null'));
    case 2:
      return raw(nested('{"conjunction":"and","filterSet":[', ']}', random.pick([5, 9, 100, 5_000]), ''));
    case 3:
      return Array.from({ length: random.pick([100, 1_001, 5_001, 20_001]) }, () =>
        random.pick([null, 0, 'x', {}, []]),
      );
    case 4:
      return Object.fromEntries(Array.from({ length: random.pick([100, 2_000, 20_000]) }, (_, at) => [`k${at}`, at]));
    case 5:
      return longText(random).repeat(random.pick([1, 10]));
    case 6:
      return raw(`{"a":1,"a":2,"__proto__":{"x":1},"__proto__":null}`);
    default:
      return [[[[[]]]], [{ a: [{ a: [] }] }]];
  }
};

export const anyText = (random: Random): string => (random.once(8) ? longText(random) : random.pick(texts));

export const anyValue = (random: Random, depth = 0): unknown => {
  switch (random.below(depth > 3 ? 5 : 10)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick(numbers);
    case 2:
      return raw(random.pick(rawNumbers));
    case 3:
    case 4:
      return anyText(random);
    case 5:
      return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
    case 6:
    case 7:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [anyText(random), anyValue(random, depth + 1)]),
      );
    case 8:
      return random.pick<unknown>([
        [],
        {},
        [null],
        [[]],
        [{}],
        { length: 1 },
        { toString: 1 },
        { toJSON: 1 },
        JSON.parse('{"then":1}'),
        { id: null },
        { constructor: { prototype: {} } },
      ]);
    default:
      return monsters(random);
  }
};
