import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { createUndoStack, type UndoState } from './undo-stack.ts';

const inTurn = <T>(action: () => Promise<T>): Promise<T> => action();

/** A server that only knows which operations count. Undoing one makes another that stands for it. */
const server = () => {
  const log: string[] = [];
  let count = 0;
  const refused = new Set<string>();
  return {
    log,
    refused,
    apply: async (operationId: string, force: boolean): Promise<string> => {
      if (refused.has(operationId) && !force) throw new ApiError('conflict', 'changed since');
      log.push(operationId);
      count += 1;
      return `${operationId}'`;
    },
    count: () => count,
  };
};

test('steps are taken back and done again in order', async () => {
  const { log, apply } = server();
  const { did, undo, redo } = createUndoStack({ apply, inTurn, onRefused: () => undefined });
  did('a');
  did('b');
  await undo();
  await undo();
  await undo();
  await redo();
  await redo();
  expect(log).toEqual(['b', 'a', "a'", "b'"]);
});

test('a new step ends what could be done again, and one that changed nothing is none', async () => {
  const { log, apply } = server();
  const { did, undo, redo } = createUndoStack({ apply, inTurn, onRefused: () => undefined });
  did('a');
  await undo();
  expect(did(undefined, '')).toBeUndefined();
  did('b');
  await redo();
  expect(log).toEqual(['a']);
});

test('a refused step changes nothing until it is insisted on, and does not block the one before', async () => {
  const { log, refused, apply } = server();
  const again: (() => Promise<void>)[] = [];
  const { did, undo } = createUndoStack({ apply, inTurn, onRefused: (_error, _doing, insist) => again.push(insist) });
  did('a');
  did('b1', 'b2');
  refused.add('b1');
  await undo();
  // The half that was undone is done again.
  expect(log).toEqual(['b2', "b2'"]);
  await again[0]?.();
  expect(log.slice(2)).toEqual(['b2', 'b1']);
  await undo();
  expect(log.slice(4)).toEqual(['a']);
});

test('steps that belong together go back together, the last first', async () => {
  const { log, apply } = server();
  const stack = createUndoStack({ apply, inTurn, onRefused: () => undefined });
  const changed = stack.did('changed');
  const created = stack.did('created');
  stack.extend(stack.merge(changed as never, created as never), 'more');
  await stack.undo();
  await stack.redo();
  expect(log).toEqual(['more', 'created', 'changed', "changed'", "created'", "more'"]);
});

test('a hundred steps outlive a reload of the page', async () => {
  const { log, apply } = server();
  let kept: UndoState = { done: [], undone: [] };
  const state = { load: () => kept, save: (next: UndoState) => (kept = JSON.parse(JSON.stringify(next)) as UndoState) };
  const first = createUndoStack({ apply, inTurn, onRefused: () => undefined, state });
  for (let at = 0; at < 101; at += 1) first.did(`op${at}`);
  await first.undo();
  const second = createUndoStack({ apply, inTurn, onRefused: () => undefined, state });
  await second.redo();
  for (let at = 0; at < 101; at += 1) await second.undo();
  expect([log.length, log.at(-1)]).toEqual([103, 'op0']);
});
