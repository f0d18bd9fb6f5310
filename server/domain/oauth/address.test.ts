import { expect, test } from 'vitest';
import { addressFault, redirectUriFault, withParameters } from './address.ts';

test('redirect URIs are https, or http on this computer', () => {
  for (const good of [
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/cb?tenant=7',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1:9/cb',
    'http://127.8.8.8/',
    'http://[::1]:4000/cb',
    'HTTPS://App.example.com/',
  ]) {
    expect([good, redirectUriFault(good)]).toEqual([good, undefined]);
  }
});

test('everything else is refused', () => {
  for (const bad of [
    '',
    'callback',
    '/callback',
    '//app.example.com/cb',
    'https:app.example.com',
    'https:/app.example.com',
    'https://',
    'ftp://app.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'app.example:/cb',
    'http://app.example.com/cb',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://[::2]/',
    'https://app.example.com/cb#',
    'https://app.example.com/#x',
    'https://user@app.example.com/',
    'https://user:pw@app.example.com/',
    'https://app.example.com\\@evil.example/',
    'https://app.example.com/ x',
    ' https://app.example.com/',
    'https://app.example.com/\n',
    'https://app.example.com/\u0001',
  ]) {
    expect([bad, typeof redirectUriFault(bad)]).toEqual([bad, 'string']);
  }
});

test('a home page may be plain http, and may have a fragment', () => {
  expect(addressFault('http://example.com/#about')).toBeUndefined();
});

test('parameters join the query that a URI already has', () => {
  expect(withParameters('https://a.example/cb', { code: 'x y', state: null })).toBe('https://a.example/cb?code=x+y');
  expect(withParameters('https://a.example/cb?tenant=7', { code: 'x', state: 'é' })).toBe(
    'https://a.example/cb?tenant=7&code=x&state=%C3%A9',
  );
});
