import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { createRecordWindow, pageSize, type RecordSource } from './record-window.ts';

const sourceOf = (total: number): RecordSource & { asked: number[] } => {
  const asked: number[] = [];
  return {
    asked,
    load: async (skip, take) => {
      asked.push(skip);
      return Array.from({ length: Math.max(0, Math.min(take, total - skip)) }, (_item, index): RecordVo => ({ id: `rec${skip + index}`, fields: {} }));
    },
    count: async () => total,
  };
};

test('only the pages around the visible rows are loaded', async () => {
  const source = sourceOf(1_000_000);
  const window = createRecordWindow(source);
  await window.reload();
  expect(window.rowCount()).toBe(1_000_000);
  window.look(500_000, 500_030);
  await expect.poll(() => window.at(500_010)?.id).toBe('rec500010');
  expect(source.asked.length).toBeLessThan(5);
  expect(window.at(250_000)).toBeUndefined();
});

test('a table of one page is not counted, and an empty one has no rows', async () => {
  const small = createRecordWindow({ ...sourceOf(3), count: () => Promise.reject(new Error('counted')) });
  await small.reload();
  expect(small.rowCount()).toBe(3);
  const empty = createRecordWindow(sourceOf(0));
  await empty.reload();
  expect(empty.rowCount()).toBe(0);
});

test('new records are appended across pages, and answers of the server replace what is shown', async () => {
  const window = createRecordWindow(sourceOf(pageSize - 1));
  await window.reload();
  window.append([{ id: 'recA', fields: {} }, { id: 'recB', fields: {} }]);
  expect(window.rowCount()).toBe(pageSize + 1);
  expect(window.rowOf('recB')).toBe(pageSize);
  window.take([{ id: 'recB', fields: { name: 'new' } }]);
  expect(window.find('recB')?.fields).toEqual({ name: 'new' });
});
