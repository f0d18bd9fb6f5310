import type { Step } from '@rowhouse/contract/automation-definition.ts';
import { expect, test } from 'vitest';
import { firstPath, pathAfter, pathInto, roundsAt, stepAt } from './walk.ts';

const wait = (id: string): Step => ({ type: 'wait', id, seconds: 1 });
const steps: Step[] = [
  wait('a'),
  { type: 'if', id: 'b', condition: { formula: 'true' }, then: [wait('c'), wait('d')], else: [] },
  { type: 'forEach', id: 'e', of: 'x', steps: [wait('f'), { type: 'forEach', id: 'g', of: 'x', steps: [wait('h')] }] },
  wait('i'),
];

/** `branches`: into what each step that holds others goes, by its id. */
const walk = (branches: Record<string, string>): string[] => {
  const seen: string[] = [];
  for (let path = firstPath(steps); path !== ''; ) {
    const { id } = stepAt(steps, path) as Step;
    seen.push(id);
    const branch = branches[id];
    path = branch === undefined ? pathAfter(steps, path) : pathInto(steps, path, branch);
  }
  return seen;
};

test('steps follow each other through branches and rounds', () => {
  expect(walk({ b: 'then', e: '0:2', g: '0:2' }).join('')).toBe('abcdefghhfghhi');
  expect(walk({ b: 'else', e: '0:1' }).join('')).toBe('abefgi');
  expect(walk({ b: 'then' }).join('')).toBe('abcdei');
  expect(firstPath([])).toBe('');
});

test('a path says which round of which loop it is in', () => {
  expect([...roundsAt(steps, '2/3:7/1/2:5/0')]).toEqual([
    ['e', 3],
    ['g', 2],
  ]);
  expect(stepAt(steps, '2/3:7/1/2:5/0')?.id).toBe('h');
});
