import { expect, test } from 'vitest';
import { compareAnswers } from './answers.ts';

const before = new Map<string, unknown>([
  ['owner GET /space', { status: 200, body: [{ id: 'spc1', name: 'House', tags: [1, 2] }] }],
]);
const after = (body: unknown, status = 200): Map<string, unknown> => new Map([['owner GET /space', { status, body }]]);

test('answers that are the same have no differences', () => {
  expect(compareAnswers(before, after([{ id: 'spc1', name: 'House', tags: [1, 2] }]))).toEqual([]);
});

test('every way to differ is told', () => {
  const told = (changed: Map<string, unknown>, mayGrow = false): number =>
    compareAnswers(before, changed, { mayGrow }).length;
  for (const mayGrow of [false, true]) {
    expect(told(after([{ id: 'spc1', name: 'Home', tags: [1, 2] }]), mayGrow)).toBe(1);
    expect(told(after([{ id: 'spc1', tags: [1, 2] }]), mayGrow)).toBe(1);
    expect(told(after([{ id: 'spc1', name: 'House', tags: [2, 1] }]), mayGrow)).toBe(2);
    expect(told(after([{ id: 'spc1', name: 'House', tags: [1, 2, 3] }]), mayGrow)).toBe(1);
    expect(told(after([], 200), mayGrow)).toBe(1);
    expect(told(after([{ id: 'spc1', name: 'House', tags: [1, 2] }], 404), mayGrow)).toBe(1);
    expect(told(new Map(), mayGrow)).toBe(1);
  }
});

test('only what may grow can have more than before', () => {
  const more = after([{ id: 'spc1', name: 'House', tags: [1, 2], colour: 'red' }]);
  expect(compareAnswers(before, more)).toEqual(['owner GET /space.body.0.colour: nothing is now "red"']);
  expect(compareAnswers(before, more, { mayGrow: true })).toEqual([]);
  expect(compareAnswers(before, new Map([...before, ['owner GET /base', {}]]))).toEqual([
    'owner GET /base was not asked for before',
  ]);
});
