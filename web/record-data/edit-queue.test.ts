import { ApiError } from '@rowhouse/contract/error.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionAnswered, connectionLost } from '../app/connection.ts';
import type { CellChange, ChangedRecord } from './edit-answers.ts';
import { createEditQueue, type EditConflict, type EditQueue } from './edit-queue.ts';
import { isSameCell, mergeCells } from './merge-changes.ts';

/** Records as a server keeps them, by the rules of PATCH: `before` is compared, and a key writes once. */
const createServer = (cells: Record<string, unknown>) => {
  const keys = new Set<string>();
  const state = {
    cells: { ...cells } as Record<string, unknown>,
    writes: 0,
    sent: [] as ChangedRecord[][],
    /** What happens to the next requests: their answer is lost, or they do not arrive. */
    fate: [] as ('answer lost' | 'not sent')[],
    /** The form in which a value is stored. */
    store: (value: unknown): unknown => value,
  };
  const send = async (records: ChangedRecord[], { key }: { key: string }) => {
    await Promise.resolve();
    const fate = state.fate.shift();
    if (fate === 'not sent') {
      connectionLost();
      throw new TypeError('Failed to fetch');
    }
    state.sent.push(records);
    if (!keys.has(key)) {
      const present = records.flatMap(({ id, before = {} }) =>
        Object.entries(before).flatMap(([field, value]) =>
          isSameCell(value, state.cells[field])
            ? []
            : [{ recordId: id, field, value: state.cells[field] ?? null, by: kim, time: '2024-02-29T12:00:00.000Z' }],
        ),
      );
      if (present.length > 0) throw new ApiError('conflict', 'changed', { present });
      keys.add(key);
      state.writes += 1;
      for (const { fields } of records)
        for (const [field, value] of Object.entries(fields))
          state.cells[field] = value === null ? undefined : state.store(value);
    }
    if (fate === 'answer lost') {
      connectionLost();
      throw new TypeError('Failed to fetch');
    }
    return { records: records.map(({ id }) => ({ id, fields: { ...state.cells } })), operationId: key };
  };
  return { state, send };
};

const kim = { id: 'usr1', name: 'Kim' };

const listen = { addEventListener: () => undefined, removeEventListener: () => undefined };
let conflicts: EditConflict[];
let server: ReturnType<typeof createServer>;
let queue: EditQueue;
const refused = vi.fn();
const gone = vi.fn();

const start = (cells: Record<string, unknown>): void => {
  conflicts = [];
  server = createServer(cells);
  queue = createEditQueue({
    send: server.send,
    onSaved: () => undefined,
    onRefused: refused,
    onGone: gone,
    merge: ({ before, value }: CellChange, now) =>
      Array.isArray(now) ? { value: mergeCells(before, value, now) } : undefined,
    onConflict: (conflict) => conflicts.push(conflict),
    onConflictOver: (conflict) => (conflicts = conflicts.filter((one) => one !== conflict)),
    presentOf: (_recordId, fieldId) => ({ value: server.state.cells[fieldId] }),
    describe: (_fieldId, value) => String(value),
  });
};
const change = (fieldId: string, value: unknown, before: unknown, recordId = 'rec1'): CellChange => ({
  recordId,
  fieldId,
  value,
  before,
});
const shown = (fieldId: string): unknown => queue.valueOf({ id: 'rec1', fields: server.state.cells }, fieldId);

beforeEach(() => {
  vi.stubGlobal('window', listen);
  vi.stubGlobal('fetch', async () => ({ ok: false }));
  connectionAnswered();
  vi.clearAllMocks();
});

describe('an edit whose answer was lost', () => {
  test('is written once when it is sent again', async () => {
    start({ name: 'A' });
    server.state.fate = ['answer lost'];
    const edit = queue.edit([change('name', 'B', 'A')]);
    await vi.waitFor(() => expect(server.state.fate).toEqual([]));
    connectionAnswered();
    expect(await edit).toBe('written');
    expect([server.state.writes, server.state.cells['name'], conflicts]).toEqual([1, 'B', []]);
  });

  test('does not overwrite what somebody wrote since, not even what it began with', async () => {
    for (const theirs of ['C', 'A']) {
      start({ name: 'A' });
      server.state.fate = ['answer lost'];
      const edit = queue.edit([change('name', 'B', 'A')]);
      await vi.waitFor(() => expect(server.state.fate).toEqual([]));
      server.state.cells['name'] = theirs;
      connectionAnswered();
      expect([await edit, server.state.cells['name'], conflicts]).toEqual(['written', theirs, []]);
    }
  });
});

test('an edit made while the network was away asks when somebody else changed the cell, with both values', async () => {
  start({ name: 'A' });
  server.state.fate = ['not sent'];
  const edit = queue.edit([change('name', 'mine', 'A')]);
  await vi.waitFor(() => expect(server.state.fate).toEqual([]));
  server.state.cells['name'] = 'theirs';
  connectionAnswered();
  expect(await edit).toBe('in conflict');
  expect(conflicts).toMatchObject([
    {
      cells: [{ recordId: 'rec1', fieldId: 'name', value: 'mine', present: 'theirs', writer: { by: kim } }],
    },
  ]);
  expect([server.state.cells['name'], shown('name')]).toEqual(['theirs', 'mine']);
  expect(queue.refusalOf('rec1', 'name')).toContain('Kim changed this cell to theirs');

  conflicts[0]?.keepMine();
  await vi.waitFor(() => expect(server.state.cells['name']).toBe('mine'));
  expect([conflicts, queue.refusalOf('rec1', 'name')]).toEqual([[], undefined]);
});

test('keeping theirs leaves the cell as it is, and an edit of the cell ends the question', async () => {
  start({ name: 'theirs', count: 2 });
  await queue.edit([change('name', 'mine', 'A')]);
  conflicts[0]?.keepTheirs();
  expect([shown('name'), conflicts, server.state.writes]).toEqual(['theirs', [], 0]);

  await queue.edit([change('count', 3, 1)]);
  expect(conflicts).toHaveLength(1);
  expect(
    await queue.edit([change('count', 4, queue.beforeOf({ id: 'rec1', fields: server.state.cells }, 'count'))]),
  ).toBe('written');
  expect([server.state.cells['count'], conflicts]).toEqual([4, []]);
});

test('of many cells only those in conflict wait for an answer', async () => {
  start({ a: 1, b: 'theirs', c: 3 });
  expect(await queue.edit([change('a', 10, 1), change('b', 'mine', 'old'), change('c', 30, 3)])).toBe('in conflict');
  expect(server.state.cells).toEqual({ a: 10, b: 'theirs', c: 30 });
  expect(conflicts.map(({ cells }) => cells.map(({ fieldId }) => fieldId))).toEqual([['b']]);
});

test('both ends of a bar are written together or not at all', async () => {
  start({ from: 'day 1', to: 'day 9' });
  const cells = [change('from', 'day 2', 'day 1'), change('to', 'day 3', 'day 2')];
  expect(await queue.edit(cells, { isWhole: true })).toBe('in conflict');
  expect(server.state.cells).toEqual({ from: 'day 1', to: 'day 9' });
  conflicts[0]?.keepMine();
  await vi.waitFor(() => expect(server.state.cells).toEqual({ from: 'day 2', to: 'day 3' }));
});

test('lists are merged, what is the same already is no conflict, and neither is an edit that changed nothing', async () => {
  start({ tags: ['a', 'theirs'], name: 'B', same: 'now' });
  expect(
    await queue.edit([
      change('tags', ['a', 'mine'], ['a']),
      change('name', 'B', 'A'),
      change('same', 'before', 'before'),
    ]),
  ).toBe('written');
  expect(server.state.cells).toEqual({ tags: ['a', 'theirs', 'mine'], name: 'B', same: 'now' });
  expect(conflicts).toEqual([]);
});

describe('an edit of a cell that one has just edited oneself', () => {
  test('is made on what the server stored, whatever form that has', async () => {
    start({ when: undefined });
    server.state.store = (value) => `${String(value)}T00:00:00.000Z`;
    // The second is typed before the first is answered, the third in an editor that was opened before.
    const first = queue.edit([change('when', '2024-01-01', undefined)]);
    const second = queue.edit([change('when', '2024-01-02', '2024-01-01')]);
    expect([await first, await second]).toEqual(['written', 'written']);
    expect(await queue.edit([change('when', '2024-01-03', '2024-01-02')])).toBe('written');
    expect([server.state.cells['when'], conflicts]).toEqual(['2024-01-03T00:00:00.000Z', []]);
  });

  test('asks once when the first met somebody else, with the last value', async () => {
    start({ name: 'theirs' });
    const first = queue.edit([change('name', 'mine', 'A')]);
    const second = queue.edit([change('name', 'mine too', 'mine')]);
    expect([await first, await second]).toEqual(['in conflict', 'in conflict']);
    expect(conflicts).toMatchObject([{ cells: [{ value: 'mine too', present: 'theirs' }] }]);
    expect(server.state.cells['name']).toBe('theirs');
  });

  test('is no conflict in a record that the server has made with values of its own', async () => {
    start({ state: 'default' });
    const made = queue.inTurn(async () => queue.rename('new:1', { id: 'rec1', fields: { state: 'default' } }));
    const edit = queue.edit([change('state', 'mine', undefined, 'new:1')]);
    await made;
    expect([await edit, server.state.cells['state']]).toEqual(['written', 'mine']);
  });
});

test('an edit that is made while an own undo is on its way rests on what the undo leaves', async () => {
  start({ name: 'pasted' });
  const undone = queue.restoring(async () => {
    await Promise.resolve();
    server.state.cells['name'] = 'A';
  });
  const edit = queue.edit([change('name', 'pasted', 'pasted')]);
  await undone;
  expect([await edit, server.state.cells['name'], conflicts]).toEqual(['written', 'pasted', []]);
});
