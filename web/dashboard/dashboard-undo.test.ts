import { expect, test } from 'vitest';
import { createDashboardUndo } from './dashboard-undo.ts';

const noted = () => {
  const log: string[] = [];
  const step = (label: string) => ({
    label,
    undo: async () => log.push(`undo ${label}`),
    redo: async () => log.push(`redo ${label}`),
  });
  return { log, step, steps: createDashboardUndo() };
};

test('the last step is undone first, and a new change ends what could be redone', async () => {
  const { log, step, steps } = noted();
  steps.did(step('a'));
  steps.did(step('b'));
  expect(await Promise.all([steps.undo(), steps.undo(), steps.undo()])).toEqual(['b', 'a', undefined]);
  expect(await steps.redo()).toBe('a');
  steps.did(step('c'));
  expect(await steps.redo()).toBeUndefined();
  expect(log).toEqual(['undo b', 'undo a', 'redo a']);
});

test('a step that fails can be tried again', async () => {
  const { steps } = noted();
  let fails = true;
  steps.did({
    label: 'a',
    undo: async () => {
      if (fails) throw new Error('no answer');
    },
    redo: async () => undefined,
  });
  await expect(steps.undo()).rejects.toThrow('no answer');
  fails = false;
  expect(await steps.undo()).toBe('a');
});

test('an item that came back, even twice, is found by its first id', () => {
  const { steps } = noted();
  steps.nameAgain('pli1', 'pli2');
  steps.nameAgain('pli2', 'pli3');
  expect(steps.idOf('pli1')).toBe('pli3');
  expect(steps.idOf('pli9')).toBe('pli9');
});
