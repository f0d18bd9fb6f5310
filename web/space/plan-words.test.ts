import { expect, test } from 'vitest';
import { bytesText, moneyText } from './plan-words.ts';

test('an amount is said in its own currency, with as many digits as that has', () => {
  const plain = (text: string): string => text.replace(/[^\d.,A-Z€$¥]/g, '');
  expect(plain(moneyText(1_200, 'usd'))).toMatch(/^\D*12\D*$/);
  expect(plain(moneyText(1_250, 'eur'))).toMatch(/12[.,]50/);
  expect(plain(moneyText(1_200, 'jpy'))).toMatch(/1[.,]?200/);
});

test('bytes are said in the largest unit that fits', () => {
  expect(bytesText(0)).toBe('0 B');
  expect(bytesText(5_000_000_000)).toBe('5 GB');
});
