import { expect, test } from 'vitest';
import { offersFor } from './type-choice.tsx';

test.each(['e-mail', 'URL', 'phone', 'duration', 'barcode', 'percent', 'currency'])(
  '%s is found by its name',
  (name) => {
    const [first] = offersFor(name);
    expect(first?.label.toLowerCase()).toBe(name.toLowerCase());
    expect(['singleLineText', 'number']).toContain(first?.type);
  },
);

test('types come in their order when nothing is looked for', () => {
  expect(
    offersFor('')
      .slice(0, 3)
      .map(({ label }) => label),
  ).toEqual(['Text', 'Long text', 'Number']);
  expect(offersFor('no such type')).toEqual([]);
});
