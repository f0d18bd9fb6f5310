import { expect, test } from 'vitest';
import { linkOf } from './cell-link.ts';

const link = (type: string, text: unknown): string | undefined => linkOf({ options: { showAs: { type } } }, text);

test.each([
  ['url', 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
  ['url', ' example.org ', 'https://example.org/'],
  ['url', 'example.org:8080/x', 'https://example.org:8080/x'],
  ['url', 'http://example.org', 'http://example.org/'],
  ['url', 'javascript:alert(1)', undefined],
  ['url', 'JavaScript:alert(1)', undefined],
  ['url', 'data:text/html,x', undefined],
  ['url', 'two words', undefined],
  ['email', 'kim@example.org', 'mailto:kim@example.org'],
  ['email', 'kim?bcc=all@example.org', 'mailto:kim%3Fbcc%3Dall@example.org'],
  ['email', 'nobody', undefined],
  ['phone', '+49 (30) 123-45', 'tel:+493012345'],
  ['phone', 'call me', undefined],
  ['constructor', 'x', undefined],
  ['bar', 'x', undefined],
])('shown as %s, %s leads to %s', (type, text, href) => {
  expect(link(type, text)).toBe(href);
});

test('what is no text leads nowhere, nor does a field that shows plain text', () => {
  expect([link('url', 5), link('url', null), linkOf({ options: {} }, 'https://example.org')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
