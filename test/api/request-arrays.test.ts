// What a request may hold many of has a limit of its own: bytes alone are no measure of what a list costs.
import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';

type Schema = { [key: string]: unknown };

const unlimited = (schema: unknown, path: string): string[] => {
  if (schema === null || typeof schema !== 'object') return [];
  const { type, maxItems } = schema as Schema;
  const here = type === 'array' && maxItems === undefined ? [path] : [];
  return [
    ...here,
    ...Object.entries(schema).flatMap(([key, value]) =>
      unlimited(value, /^(properties|anyOf|items|\d+)$/.test(key) ? path : `${path}.${key}`),
    ),
  ];
};

/** How many records one request may hold is a setting of the operator: ROWHOUSE_RECORDS_PER_REQUEST. */
const bySetting = [
  'createNode body.records',
  'createRecords body.records',
  'createTable body.records',
  'updateRecords body.records',
  'upsertRecords body.records',
];

test('every list in a body or a query has a limit', () => {
  const found = routes.flatMap(({ endpoint }) =>
    (['body', 'query'] as const).flatMap((part) =>
      unlimited((endpoint as unknown as Schema)[part], `${endpoint.name} ${part}`),
    ),
  );
  expect([...new Set(found)].toSorted()).toEqual(bySetting);
});
