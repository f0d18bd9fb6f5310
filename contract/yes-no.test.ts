import { expect, test } from 'vitest';
import { readYesNo } from './yes-no.ts';

test('yes and no are understood in the languages that people write, and nothing else is guessed', () => {
  const read = (...texts: string[]): unknown[] => texts.map(readYesNo);
  expect(
    read('yes', 'TRUE', ' x ', '✓', 'Ja', 'oui', 'VERDADERO', 'Sì', 'да', 'evet', 'はい', '是', '예', '1'),
  ).toEqual(Array(14).fill(true));
  expect(
    read('no', 'F', 'nein', 'nope', '-', 'N/A', '✗', '', 'FAUX', 'não', 'НЕТ', 'HAYIR', 'いいえ', '否', '아니요', '0'),
  ).toEqual(Array(16).fill(false));
  expect(read('Ada', 'maybe', '2', 'yes please', 'true-ish', 'Norway')).toEqual(Array(6).fill(undefined));
});
