import type { UndoResult } from '@rowhouse/contract/undo-redo.ts';
import { expect, test } from 'vitest';
import { type Asked, createUndo, type Way } from './window-undo.ts';

test('a refused step is told, does not stand in the way of the one before, and is done when it is insisted on', async () => {
  const asked: [Way, Asked][] = [];
  const answers: UndoResult[] = [
    { status: 'failed', errorMessage: 'changed', step: 'b' },
    { status: 'fulfilled', step: 'a' },
    { status: 'fulfilled', step: 'b' },
    { status: 'empty' },
  ];
  const again: (() => Promise<void>)[] = [];
  const done: string[] = [];
  const { undo } = createUndo({
    ask: async (way, what) => {
      asked.push([way, what]);
      return answers.shift() as UndoResult;
    },
    inTurn: (action) => action(),
    onDone: async ({ status, step }) => void done.push(step ?? status),
    onRefused: (_result, _way, insist) => again.push(insist),
    onProblem: (error) => {
      throw error;
    },
  });
  await undo();
  await undo();
  await again[0]?.();
  await undo();
  expect(asked).toEqual([
    ['undo', {}],
    ['undo', { skip: ['b'] }],
    ['undo', { step: 'b', force: true }],
    ['undo', {}],
  ]);
  expect(done).toEqual(['a', 'b', 'empty']);
});
