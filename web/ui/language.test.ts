import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { expect, test } from 'vitest';
import { usableLanguage } from './language.ts';

test('a language that Intl does not know is read as far as it goes, and never stops a paste or an import', () => {
  const told = ['en-GB', 'en-US@posix', 'de_DE.UTF-8', 'C', '', '@', 'no language', undefined];
  expect(told.map(usableLanguage)).toEqual(['en-GB', 'en-US', 'de-DE', ...Array.from({ length: 5 })]);
  for (const language of told.map(usableLanguage)) {
    expect(['dayFirst', 'monthFirst']).toContain(orderOfLocale(language));
    expect(new Intl.DateTimeFormat(language).format(0)).toContain('1970');
  }
});
