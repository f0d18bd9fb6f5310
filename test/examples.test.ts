// Requests that /api/docs shows are those that the access matrix sends to a server.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../server/app.ts';
import { examplesText, requestExamples } from './support/request-examples.ts';

const endpoints = routes.map(({ endpoint }) => endpoint);

test('server/http/examples.json is as `node --import tsx scripts/examples.ts` writes it', () => {
  expect(readFileSync('server/http/examples.json', 'utf8')).toBe(examplesText(endpoints));
});

test('an example has the body that its operation needs', () => {
  const examples = requestExamples(endpoints);
  const lacking = endpoints.filter(
    ({ name, body, bodyOptional, form }) =>
      examples[name] !== undefined &&
      examples[name].body === undefined &&
      body !== undefined &&
      bodyOptional !== true &&
      form !== true,
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
  expect(Object.keys(examples).length).toBeGreaterThan(200);
});
