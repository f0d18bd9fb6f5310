import { relationships, rollupFunctions } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { relationshipOf, sidesOf } from '../link/relationship.ts';
import { expressionOf, functionIn, functionsFor, rollupResult } from './rollup.ts';

test('functions are offered for the cells that they can be used on, the useful ones first', () => {
  expect(
    functionsFor({ cellValueType: 'number' })
      .map(({ name }) => name)
      .slice(0, 4),
  ).toEqual(['sum', 'average', 'min', 'max']);
  expect(functionsFor({ cellValueType: 'string' }).map(({ name }) => name)).toEqual([
    'counta',
    'countall',
    'count',
    'array_unique',
    'array_compact',
    'array_join',
    'concatenate',
  ]);
  expect(functionsFor({ cellValueType: 'boolean' }).map(({ name }) => name)).toContain('and');
  expect(rollupResult('max', 'dateTime')).toEqual({ kind: 'dateTime', isList: false });
  expect(rollupResult('array_unique', 'number')).toEqual({ kind: 'number', isList: true });
});

test('every function of the server has words, and is read back from its expression', () => {
  const offered = new Set(
    (['number', 'string', 'boolean', 'dateTime'] as const).flatMap((cellValueType) =>
      functionsFor({ cellValueType }).map(({ name }) => name),
    ),
  );
  expect([...offered].toSorted()).toEqual([...rollupFunctions].toSorted());
  expect(rollupFunctions.map((name) => functionIn(expressionOf(name)))).toEqual([...rollupFunctions]);
  expect(functionIn('sum(1)')).toBeUndefined();
});

test('one and several on both sides of a link are its relationship', () => {
  expect(relationships.map((relationship) => relationshipOf(sidesOf(relationship)))).toEqual([...relationships]);
  expect(sidesOf('manyOne')).toEqual({ hereSeveral: false, thereSeveral: true });
});
