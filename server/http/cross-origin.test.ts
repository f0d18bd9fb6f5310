import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addCrossOrigin } from './cross-origin.ts';

const answers = async (origins: ReadonlySet<string> | null, origin: string, url = '/api/x') => {
  const app = fastify();
  addCrossOrigin(app, { origins });
  app.get('/api/x', async () => 'x');
  app.get('/x', async () => 'x');
  const { headers } = await app.inject({ url, headers: { origin } });
  return { allowed: headers['access-control-allow-origin'], vary: headers['vary'] };
};

test('of listed origins only these are allowed, and caches keep their answers apart', async () => {
  const listed = new Set(['https://one.example']);
  expect(await answers(listed, 'https://one.example')).toEqual({ allowed: 'https://one.example', vary: 'Origin' });
  expect(await answers(listed, 'https://two.example')).toEqual({ allowed: undefined, vary: 'Origin' });
  expect(await answers(listed, 'null')).toEqual({ allowed: undefined, vary: 'Origin' });
});

test('all, none, and nothing but the API', async () => {
  expect(await answers(null, 'https://one.example')).toEqual({ allowed: '*', vary: undefined });
  expect(await answers(new Set(), 'https://one.example')).toEqual({ allowed: undefined, vary: undefined });
  expect(await answers(null, 'https://one.example', '/x')).toEqual({ allowed: undefined, vary: undefined });
});
