import type { EventData } from '@rowhouse/contract/event.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { stackCards } from '../../view-type/kanban/stack-queries.ts';
import { createTableRecords } from '../table-records.ts';
import { createFakeServer, createRandom } from './fake-server.ts';
import { followTable } from './follow-table.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

const name = { id: 'fldName', name: 'Name', type: 'singleLineText', isPrimary: true } as unknown as Field;
const sum = { id: 'fldSum', name: 'Sum', type: 'number', isComputed: true } as unknown as Field;
const state = { id: 'fldState', name: 'State', type: 'singleSelect', options: { choices: [] } } as unknown as Field;
const fields = [name, sum, state];
const stacks = [null, 'open', 'done'];

/** What is shown at the end of so many seconds in which others change records and the network comes and goes. */
const watch = async (seed: number, type: 'kanban' | 'grid') => {
  const random = createRandom(seed);
  const server = createFakeServer(random);
  // Few: a change that comes later has everything read again, and would hide what was missed before.
  const turns = 2 + Math.floor(random() * 6);
  server.start();
  const tableId = `tbl${type}${seed}`;
  const view = { id: `viw${seed}`, type, columnMeta: {}, options: {} } as unknown as View;
  for (let at = 0; at < 4; at += 1) server.records.set(`rec${at}`, { id: `rec${at}`, fields: { fldName: 'first' } });

  const table = createTableRecords(
    tableId,
    view.id,
    () => ({ view, fields }),
    (_field, value) => String(value),
  );
  const stop = followTable({ tableId, isGrid: type === 'grid', ...table });
  const observers = stacks.map((key) => {
    const stack = key === null ? null : { key, name: key, color: 'gray' };
    const asked = { tableId, view, field: state, stack, search: '', projection: fields.map(({ id }) => id) };
    const observer = new InfiniteQueryObserver(queryClient, stackCards(asked));
    return { key, observer, stop: type === 'kanban' ? observer.subscribe(() => undefined) : () => undefined };
  });

  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const others = [
    () => {
      const record = pick([...server.records.values()]);
      if (record === undefined) return;
      const fieldId = pick(['fldName', 'fldState', 'fldSum']);
      const value = fieldId === 'fldState' ? pick(stacks) : `${random()}`;
      record.fields = { ...record.fields, [fieldId]: value };
      server.tell('records.updated', {
        tableId,
        recordIds: [record.id],
        fieldIds: [fieldId],
        operationId: `op${random()}`,
        by: 'usr',
        time: '',
        // Values of computed cells are not told: the record is read.
        ...(fieldId === 'fldSum' ? {} : { records: [{ id: record.id, fields: { [fieldId]: value } }] }),
      } satisfies Partial<EventData<'records.updated'>>);
    },
    () => {
      const id = pick([...server.records.keys()]);
      if (id === undefined || !server.records.delete(id)) return;
      server.tell('records.deleted', { tableId, recordIds: [id], by: 'usr' });
    },
    () => {
      const id = `rec${random()}`;
      server.records.set(id, { id, fields: { fldName: 'new' } });
      server.tell('records.created', { tableId, recordIds: [id] });
    },
  ];
  for (let turn = 0; turn < turns; turn += 1) {
    if (random() < 0.7) pick([others[0], others[0], others[0], others[1], others[2]])?.();
    const luck = random();
    if (luck < 0.06) server.goAway();
    else if (luck < 0.1) server.refuse();
    else if (luck < 0.35) server.comeBack(random() < 0.3);
    await vi.advanceTimersByTimeAsync(Math.floor(random() * 700));
  }
  server.comeBack(false);
  await vi.advanceTimersByTimeAsync(20_000);

  const byId = (list: readonly { id: string; fields: Record<string, unknown> }[]) =>
    list
      .map(({ id, fields: cells }) => [
        id,
        Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null)),
      ])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])));
  const shown =
    type === 'grid'
      ? Array.from(
          { length: table.window.rowCount() ?? 0 },
          (_item, place) => table.window.at(place) ?? { id: '', fields: {} },
        )
      : observers.flatMap(({ observer }) => observer.getCurrentResult().data?.pages.flat() ?? []);
  for (const observer of observers) observer.stop();
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  return { shown: byId(shown), there: byId([...server.records.values()]) };
};

test.each(['kanban', 'grid'] as const)(
  'a %s shows what is there, whatever was cut, refused, late or out of order before',
  async (type) => {
    const wrong: number[] = [];
    for (let seed = 1; seed <= 40; seed += 1) {
      const { shown, there } = await watch(seed, type);
      if (JSON.stringify(shown) !== JSON.stringify(there)) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  },
);
