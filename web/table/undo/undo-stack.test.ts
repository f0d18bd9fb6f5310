import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { createUndoStack, joinSteps, type Step } from './undo-stack.ts';

const inTurn = <T>(action: () => Promise<T>): Promise<T> => action();

/** Switches a value between two states, as a restore of the history does. */
const setting = (cell: { value: number }, value: number): Step => async () => {
  const before = cell.value;
  cell.value = value;
  return setting(cell, before);
};

test('steps are taken back and done again in order', async () => {
  const cell = { value: 2 };
  const { did, undo, redo } = createUndoStack({ inTurn, onRefused: () => undefined });
  did(setting(cell, 0));
  did(setting(cell, 1));
  await undo();
  expect(cell.value).toBe(1);
  await undo();
  expect(cell.value).toBe(0);
  await undo();
  await redo();
  await redo();
  expect(cell.value).toBe(2);
});

test('a new step ends what could be done again', async () => {
  const cell = { value: 1 };
  const { did, undo, redo } = createUndoStack({ inTurn, onRefused: () => undefined });
  did(setting(cell, 0));
  await undo();
  cell.value = 5;
  did(setting(cell, 0));
  await redo();
  expect(cell.value).toBe(5);
});

test('a refused step changes nothing until it is insisted on, and does not block the one before', async () => {
  const cell = { value: 2 };
  const refused: (() => Promise<void>)[] = [];
  const { did, undo } = createUndoStack({ inTurn, onRefused: (_error, _doing, again) => refused.push(again) });
  did(setting(cell, 0));
  did(async (force) => {
    if (!force) throw new ApiError('conflict', 'changed since');
    return setting(cell, 1)(force);
  });
  await undo();
  expect(cell.value).toBe(2);
  await refused[0]?.();
  expect(cell.value).toBe(1);
  await undo();
  expect(cell.value).toBe(0);
});

test('steps that belong together go back together, the last first', async () => {
  const order: string[] = [];
  const named = (name: string): Step => async () => {
    order.push(name);
    return named(name);
  };
  const { did, undo, redo } = createUndoStack({ inTurn, onRefused: () => undefined });
  did(joinSteps([named('changed'), named('created')]));
  await undo();
  expect(order).toEqual(['created', 'changed']);
  await redo();
  expect(order).toEqual(['created', 'changed', 'changed', 'created']);
});
