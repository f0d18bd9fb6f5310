// What has changed in Teable's client is found by its schemas.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { changesBetween, clientShape, shapeOf } from './support/client-changes.ts';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@teable/openapi/package.json'));

test('operations and parts of them that came, went or are of another kind are told', () => {
  const shape = clientShape(folder);
  expect(shape.size).toBeGreaterThan(290);
  expect(changesBetween(shape, shape)).toEqual([]);
  const read = 'GET /table/{}/record/{}';
  const before = shape.get(read) as readonly string[];
  expect(before).toContain('200 id: string');
  const other = new Map(shape);
  other.delete('GET /space');
  other.set('GET /space/{}/search', ['200 list[].id: string']);
  other.set(read, [...before.filter((line) => line !== '200 id: string'), '200 id: number', '200 version: number?']);
  expect(changesBetween(shape, other)).toEqual([
    '- GET /space',
    '+ GET /space/{}/search',
    `~ ${read}`,
    '    - 200 id: string',
    '    + 200 id: number',
    '    + 200 version: number?',
  ]);
});

test('a schema is read with what is optional, empty, a choice or a list in it', () => {
  const { createSpaceRoSchema, userMeVoSchema } = require('@teable/openapi') as Record<string, unknown>;
  expect(shapeOf(createSpaceRoSchema)).toEqual(['name: string?']);
  expect(shapeOf(userMeVoSchema)).toEqual(
    expect.arrayContaining(['id: string', 'avatar: string?|null', 'organization.departments[].name: string']),
  );
});
