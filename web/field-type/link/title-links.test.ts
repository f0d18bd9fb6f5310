import { expect, test } from 'vitest';
import { linksByTitle } from './title-links.ts';

const cells = (...texts: string[]) => texts.map((text, at) => ({ recordId: `rec${at}`, text }));

test('texts are matched without case and accents, and what is missing is named once', () => {
  const { matched, missing, toWrite } = linksByTitle(
    cells('Café Noir', 'cafe noir', 'Acme', 'ACME', ' Café Noir '),
    ['Café Noir', 'Beta'],
    false,
  );
  expect([matched, missing]).toEqual([3, ['Acme']]);
  // An exact title is found by the conversion itself.
  expect([...toWrite]).toEqual([
    ['rec1', ['cafe noir']],
    ['rec2', ['Acme']],
    ['rec3', ['ACME']],
  ]);
});

test('a list names several records, unless the whole text is a title', () => {
  const titles = ['Ada', 'Stone, Ada'];
  const { matched, missing, toWrite } = linksByTitle(cells('Ada, Bob,', 'stone, ada', 'Ada'), titles, true);
  expect([matched, missing]).toEqual([2, ['Bob']]);
  expect([...toWrite]).toEqual([
    ['rec0', ['Ada', 'Bob']],
    ['rec1', ['stone, ada']],
  ]);
  expect(linksByTitle(cells('Ada, Bob'), titles, false).missing).toEqual(['Ada, Bob']);
});
