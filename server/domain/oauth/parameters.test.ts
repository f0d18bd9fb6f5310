import { expect, test } from 'vitest';
import { readClientCredentials, readParameters } from './parameters.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const none = readParameters({});

test('credentials come from the body or from HTTP Basic', () => {
  expect(readClientCredentials(undefined, readParameters({ client_id: 'a', client_secret: 's' }))).toEqual({
    clientId: 'a',
    secret: 's',
    basic: false,
  });
  expect(readClientCredentials(basic('a:s'), none)).toEqual({ clientId: 'a', secret: 's', basic: true });
  expect(readClientCredentials(basic('a:'), readParameters({ client_id: 'a' }))).toEqual({
    clientId: 'a',
    secret: undefined,
    basic: true,
  });
});

test('the parts of HTTP Basic are form-encoded, and only the first colon divides them', () => {
  expect(readClientCredentials(basic('a%3Ab:s+%2B:t'), none)).toEqual({
    clientId: 'a:b',
    secret: 's +:t',
    basic: true,
  });
});

test('no credentials, two kinds of them, or a broken header are refused', () => {
  expect(() => readClientCredentials(undefined, none)).toThrow('does not say which application');
  expect(() => readClientCredentials(basic('a:s'), readParameters({ client_secret: 's' }))).toThrow('not in both');
  expect(() => readClientCredentials(basic('a:s'), readParameters({ client_id: 'b' }))).toThrow('differs');
  for (const bad of [basic('nothing'), basic(':s'), basic('a:%'), 'Basic '])
    expect(() => readClientCredentials(bad, none)).toThrow('malformed');
});

test('a parameter that is repeated or no text is refused, an empty one is absent', () => {
  const parameters = readParameters({ twice: ['a', 'b'], number: 1, empty: '', there: 'x' });
  expect(() => parameters.get('twice')).toThrow('more than once');
  expect(() => parameters.get('number')).toThrow('malformed');
  expect(parameters.get('empty')).toBeUndefined();
  expect(parameters.get('toString')).toBeUndefined();
  expect(parameters.need('there')).toBe('x');
  expect(() => readParameters('text').need('there')).toThrow('missing');
});
