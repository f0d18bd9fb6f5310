import { foldText, withoutAccents } from '@rowhouse/contract/fold.ts';
import { expect, test } from 'vitest';
import { loosePattern } from '../cell/kind/loose-pattern.ts';
import { addGrams, createFold, foldLetter, gramsWithin } from './gram.ts';

const isLetter = (code: number): boolean => code < 0xd800 || code > 0xdfff;
const codes = Array.from({ length: 0x1ffff }, (_, at) => at + 1).filter(isLetter);
const fold = createFold();

test('every letter is the same as its lower case', () => {
  const wrong = codes.filter((code) => {
    const letter = String.fromCodePoint(code);
    return fold(letter).join() !== fold(letter.toLowerCase()).join();
  });
  expect(wrong).toEqual([]);
});

test('every letter that the pattern of a search takes for another one is the same here', () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const code of codes)
    for (const letter of foldText(String.fromCodePoint(code))) {
      if (seen.has(letter)) continue;
      seen.add(letter);
      const pattern = loosePattern(letter) ?? '';
      const members = Array.from(pattern.slice(1, pattern.indexOf(']', 2))).filter((one) => one !== '\\');
      for (const member of members)
        if (foldLetter(member.codePointAt(0) as number) !== foldLetter(letter.codePointAt(0) as number))
          wrong.push(`${letter} ${member}`);
    }
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(10_000);
});

test('accents count for nothing', () => {
  for (let code = 0x300; code <= 0x36f; code += 1) expect(foldLetter(code)).toBe(0);
});

test('a text has all the parts of what stands in it', () => {
  const texts = [
    'Der Fluß fließt',
    'CAFÉ noir',
    'Ǆabc ﬁsh',
    'Σίσυφος',
    '東京都に行く',
    'Привет, мир',
    'a\u0301b\u0323c',
    'x😀yz',
  ];
  for (const text of texts) {
    const grams = new Set<number>();
    addGrams(fold(text), grams);
    const letters = Array.from(text);
    for (let from = 0; from < letters.length; from += 1)
      for (let end = from + 1; end <= letters.length; end += 1) {
        const part = letters.slice(from, end).join('');
        for (const wanted of [part, part.toUpperCase().length === part.length ? part.toUpperCase() : part])
          for (const gram of gramsWithin(fold(wanted)) ?? [])
            expect(grams.has(gram), `${wanted} in ${text}`).toBe(true);
      }
  }
  expect(gramsWithin(fold('ab'))).toBeNull();
  expect(gramsWithin(fold('東京'))).toHaveLength(1);
  expect(gramsWithin(fold(withoutAccents('é')))).toBeNull();
});
