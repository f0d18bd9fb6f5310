import { expect, test } from 'vitest';
import { createJsonScan, type JsonExcess, type JsonLimits } from './json-scan.ts';

const limits: JsonLimits = { levels: 3, keys: 4, values: 20 };

/** However it is cut into pieces, it is the same. */
const scan = (json: string): JsonExcess | undefined => {
  const bytes = Buffer.from(json);
  const whole = createJsonScan(limits)(bytes);
  for (const size of [1, 2, 3, 7, 31, 33, 34, 35, 105, 106]) {
    const look = createJsonScan(limits);
    let found: JsonExcess | undefined;
    for (let at = 0; at < bytes.length && found === undefined; at += size) found = look(bytes.subarray(at, at + size));
    expect([size, found]).toEqual([size, whole]);
  }
  return whole;
};

const long = 'x'.repeat(100);

test.each<[string, string, JsonExcess | undefined]>([
  ['three levels', '[[[1]]]', undefined],
  ['four levels', '[{"a":[{}]}]', 'levels'],
  ['levels one after the other', '[[],[],[[]]]', undefined],
  ['brackets in texts', `["[[[[","${long}[[[[\\"[[[["]`, undefined],
  ['what looks like the end of a text', `["\\"[[[[","\\\\",[["${long}\\\\\\"",[1]]]]`, 'levels'],
  ['a text that ends with backslashes', `["${long}\\\\",[[1]],"${long}\\\\\\\\"]`, undefined],
  ['a long text that ends with many backslashes', `["${long}${'\\\\'.repeat(20)}",[[[1]]]]`, 'levels'],
  ['a long text with many backslashes', `["${long}${'\\\\'.repeat(20)}\\",[[[1]]]"]`, undefined],
  ['brackets behind a long text with escapes', `["${'\\"'.repeat(200)}",[[[1]]]]`, 'levels'],
  ['four keys', '{"a":1,"b":2,"c":3,"d":4}', undefined],
  ['five keys', '{"a":1,"b":2,"c":3,"d":4,"e":5}', 'keys'],
  ['four keys each', '[{"a":1,"b":2,"c":3,"d":4},{"a":1,"b":{"a":1},"c":3,"d":4}]', undefined],
  ['keys of an object around another', '{"a":1,"b":{"x":1},"c":3,"d":4,"e":1}', 'keys'],
  ['twenty values', `[${'1,'.repeat(17)}1]`, undefined],
  ['more values', `[${'1,'.repeat(18)}1]`, 'values'],
  ['lists', `[${'[],'.repeat(4)}[]]`, 'values'],
  ['objects', `[${'{},'.repeat(3)}{}]`, undefined],
  ['commas and colons in texts', `["${',:'.repeat(50)}"]`, undefined],
  ['what is not JSON', ']]]]:,}{"', undefined],
])('%s', (_name, json, excess) => {
  expect(scan(json)).toBe(excess);
});
