// Requests that /api/docs shows are those that the access matrix sends to a server.
import { readFileSync } from 'node:fs';
import { isStream } from '@rowhouse/contract/endpoint.ts';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { routes } from '../server/app.ts';
import { examplesText, requestExamples } from './support/request-examples.ts';

const endpoints = routes.map(({ endpoint }) => endpoint);

test('server/http/examples.json is as `node --import tsx scripts/examples.ts` writes it', () => {
  expect(readFileSync('server/http/examples.json', 'utf8')).toBe(examplesText(endpoints));
});

test('every operation has an example, with the body that it needs', () => {
  const examples = requestExamples(endpoints);
  const lacking = endpoints.filter(
    ({ name, body, bodyOptional, form }) =>
      examples[name] === undefined ||
      (examples[name].body === undefined &&
        body !== undefined &&
        !isStream(body) &&
        bodyOptional !== true &&
        form !== true),
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

const samples: Record<string, string> = {
  email: 'kim@example.com',
  password: 'a long one 17',
  newPassword: 'a long one 18',
};

/** With something in the place of each name. */
const withSamples = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/<([A-Za-z]+)>/g, (_name, key: string) => samples[key] ?? 'abc123'));

test('no operation refuses its example for its form', () => {
  const examples = requestExamples(endpoints);
  const faults = endpoints.flatMap(({ name, body, query, rawBody }) => {
    const isJson = body !== undefined && !isStream(body) && rawBody !== true;
    return (
      [
        ['body', isJson ? body : undefined, examples[name]?.body],
        ['query', query, examples[name]?.query],
      ] as const
    ).flatMap(([where, schema, value]) =>
      schema === undefined || value === undefined || Check(schema, withSamples(value)) ? [] : [`${name}: ${where}`],
    );
  });
  expect(faults).toEqual([]);
});
