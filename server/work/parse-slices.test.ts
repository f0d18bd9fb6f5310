import { expect, test, vi } from 'vitest';
import { createPause } from './slices.ts';
import { parseInSlices } from './parse-slices.ts';

const parse = (text: string): Promise<unknown> => parseInSlices(text, createPause());

const long = 'x'.repeat(200_000);
const numbers = Array.from({ length: 100_000 }, (_, at) => at);

test.each<[string, string]>([
  ['a small value', ' {"a":[1,2,{"b":null}]} '],
  ['a long list', JSON.stringify(numbers)],
  ['lists in objects in lists', JSON.stringify([{ a: { b: numbers, c: [numbers, 'end'] } }, 1])],
  ['a long text', JSON.stringify({ content: long })],
  ['a text of escapes', JSON.stringify({ content: '"\\\t\u0001'.repeat(60_000) })],
  ['a text of characters by their numbers', `{"a":"${'\\ud83d\\ude00'.repeat(30_000)}"}`],
  ['blanks everywhere', ` { "a" : [ ${numbers.join(' , ')} ] , "b" : "${long}" } `],
  ['a key twice', `{"a":"${long}","b":1,"a":2}`],
  ['commas and brackets in texts', JSON.stringify(Array.from({ length: 30_000 }, () => '],{"a\\'))],
  ['empty lists and objects beside a long text', JSON.stringify({ a: [], b: {}, c: long, d: [[], {}] })],
  ['a long key', JSON.stringify({ [long]: 1, b: 2 })],
])('%s is read as JSON.parse reads it', async (_name, text) => {
  expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)));
});

test('a key called __proto__ is a key', async () => {
  const read = (await parse(`{"__proto__":{"isAdmin":"${long}"},"a":1}`)) as object;
  expect(Object.keys(read)).toEqual(['__proto__', 'a']);
  expect((read as { isAdmin?: string }).isAdmin).toBeUndefined();
});

test.each([
  `[${numbers.join()},]`,
  `[,${numbers.join()}]`,
  `[${numbers.join()},,1]`,
  `[${numbers.join()}}`,
  `[${numbers.join()}`,
  `[${numbers.join()}] 1`,
  `{"a":"${long}" "b":1}`,
  `{"a" "${long}"}`,
  `{a:"${long}"}`,
  `"${long}`,
  `"${long}\\`,
  `"${long}\\u00"`,
  `"${long}\n"`,
])('what is not JSON is refused (%#)', async (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  await expect(parse(text)).rejects.toThrow(SyntaxError);
});

test('it pauses between pieces', async () => {
  const pause = vi.fn(() => undefined);
  await parseInSlices(JSON.stringify({ records: numbers, content: long.repeat(5) }), pause);
  expect(pause.mock.calls.length).toBeGreaterThan(8);
});
