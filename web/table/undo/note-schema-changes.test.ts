import { expect, test } from 'vitest';
import { tellOperation } from '../../app/operations.ts';
import { noteSchemaChanges } from './note-schema-changes.ts';
import { createUndoStack, type Step } from './undo-stack.ts';

const stepsOf = (...requests: [path: string, at: number][]): readonly Step[] => {
  let saved: readonly Step[] = [];
  let now = 0;
  const undo = createUndoStack({ apply: async () => null, inTurn: (action) => action(), onRefused: () => undefined, state: { load: () => ({ done: [], undone: [] }), save: ({ done }) => (saved = [...done]) } });
  const stop = noteSchemaChanges('tbl1', undo, () => now);
  requests.forEach(([path, at], index) => {
    now = at;
    tellOperation('PUT', `/api/table/tbl1/${path}`, new Response('', { headers: { 'x-operation-id': `opr${index}` } }));
  });
  stop();
  return saved;
};

test('a filter that is typed is one step, what is clicked is a step each, however quickly it follows', () => {
  expect(stepsOf(['view/viw1/filter', 0], ['view/viw1/filter', 500], ['view/viw1/filter', 900])).toEqual([{ operations: ['opr0', 'opr1', 'opr2'] }]);
  expect(stepsOf(['view/viw1/filter', 0], ['view/viw1/filter', 5_000])).toHaveLength(2);
  for (const part of ['column-meta', 'options']) expect(stepsOf([`view/viw1/${part}`, 0], [`view/viw1/${part}`, 100])).toHaveLength(2);
});
