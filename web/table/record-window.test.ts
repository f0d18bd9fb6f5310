import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { pageSize } from './first-questions.ts';
import { createRecordWindow, type RecordSource } from './record-window.ts';

const sourceOf = (total: number): RecordSource & { asked: number[] } => {
  const asked: number[] = [];
  return {
    asked,
    load: async (skip, take) => {
      asked.push(skip);
      return Array.from({ length: Math.max(0, Math.min(take, total - skip)) }, (_item, index): RecordVo => ({ id: `rec${skip + index}`, fields: {} }));
    },
    size: async () => ({ count: total }),
    isGrouped: () => false,
  };
};

test('only the pages around the visible rows are loaded', async () => {
  const source = sourceOf(1_000_000);
  const window = createRecordWindow(source);
  await window.reload();
  expect(window.rowCount()).toBe(1_000_000);
  window.look([[500_000, 500_030]]);
  await expect.poll(() => window.at(500_010)?.id).toBe('rec500010');
  expect(source.asked.length).toBeLessThan(5);
  expect(window.at(250_000)).toBeUndefined();
});

test('a table of one page is not counted again, and an empty one has no rows', async () => {
  let counts = 0;
  const source = sourceOf(3);
  const small = createRecordWindow({ ...source, size: () => ((counts += 1), source.size(new AbortController().signal)) });
  await small.reload();
  await small.reload();
  expect(small.rowCount()).toBe(3);
  expect(counts).toBe(1);
  const empty = createRecordWindow(sourceOf(0));
  await empty.reload();
  expect(empty.rowCount()).toBe(0);
});

test('new records are appended across pages, and answers of the server replace what is shown', async () => {
  const window = createRecordWindow(sourceOf(pageSize - 1));
  await window.reload();
  window.append([{ id: 'recA', fields: {} }, { id: 'recB', fields: {} }]);
  expect(window.rowCount()).toBe(pageSize + 1);
  expect(window.placeOf('recB')).toBe(pageSize);
  await window.read(async () => [{ id: 'recB', fields: { name: 'new' } }]);
  expect(window.find('recB')?.fields).toEqual({ name: 'new' });
});

test('pages of several parts of the table are loaded when the groups between them are collapsed', async () => {
  const source = sourceOf(1_000_000);
  const window = createRecordWindow(source);
  await window.reload();
  window.look([[100, 110], [700_000, 700_010]]);
  await expect.poll(() => window.at(700_005)?.id).toBe('rec700005');
  expect(window.at(105)?.id).toBe('rec105');
  expect(source.asked.length).toBeLessThan(5);
});

test('a change that arrives while its page is being read is not lost', async () => {
  let answer: (records: RecordVo[]) => void = () => undefined;
  const window = createRecordWindow({ load: () => new Promise((resolve) => (answer = resolve)), size: async () => ({ count: 1 }), isGrouped: () => false });
  const loaded = window.reload();
  window.change([{ id: 'recA', apply: (record) => ({ ...record, fields: { ...record.fields, name: 'new' } }) }]);
  answer([{ id: 'recA', fields: { name: 'old', count: 1 } }]);
  await loaded;
  expect(window.find('recA')?.fields).toEqual({ name: 'new', count: 1 });
});

test('a change that arrives while its record is being read is not lost either', async () => {
  const window = createRecordWindow(sourceOf(1));
  await window.reload();
  const renamed = { id: 'rec0', apply: (record: RecordVo) => ({ ...record, fields: { ...record.fields, name: 'new' } }) };
  await window.read(async () => {
    window.change([renamed]);
    return [{ id: 'rec0', fields: { name: 'old', count: 1 } }];
  });
  expect(window.find('rec0')?.fields).toEqual({ name: 'new', count: 1 });
});
