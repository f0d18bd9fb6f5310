import { expect, test } from 'vitest';
import { innerPath } from './identity.ts';

test('signing in leads to a place of this server, whatever the address asks for', () => {
  for (const wanted of ['/', '/trash', '/base/bse1/tbl1?view=viw1#top', '/api/oauth/authorize?x=https://example.com/'])
    expect(innerPath(wanted)).toBe(wanted);
  for (const wanted of [
    'javascript:alert(1)',
    '//example.com/',
    'https://example.com/',
    '/\\example.com',
    '/\t/example.com',
    '/\n//example.com',
    '/\r/example.com',
    'data:text/html,x',
    '',
    undefined,
    7,
  ])
    expect(innerPath(wanted)).toBeUndefined();
});
