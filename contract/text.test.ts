import { expect, test } from 'vitest';
import { uniqueName } from './text.ts';

test('a free name stays as it is, a taken one gets the first free number', () => {
  expect(uniqueName('Space', [])).toBe('Space');
  expect(uniqueName('Space', ['space', 'Space 2'])).toBe('Space');
  expect(uniqueName('Space', ['Space'])).toBe('Space 2');
  expect(uniqueName('Space', ['Space', 'Space 2', 'Space 4'])).toBe('Space 3');
});
