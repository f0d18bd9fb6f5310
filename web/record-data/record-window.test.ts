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
      return Array.from(
        { length: Math.max(0, Math.min(take, total - skip)) },
        (_item, index): RecordVo => ({ id: `rec${skip + index}`, fields: {} }),
      );
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

test('the first page is asked for once, though nothing is drawn until it is there', async () => {
  const source = sourceOf(3);
  const signals: AbortSignal[] = [];
  const window = createRecordWindow({
    ...source,
    load: (skip, take, signal) => (signals.push(signal), source.load(skip, take, signal)),
  });
  const read = window.reload();
  window.look([]);
  window.look([[0, 2]]);
  await read;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  expect(window.rowCount()).toBe(3);
});

test('a table of one page is not counted again, and an empty one has no rows', async () => {
  let counts = 0;
  const source = sourceOf(3);
  const small = createRecordWindow({
    ...source,
    size: () => ((counts += 1), source.size(new AbortController().signal)),
  });
  await small.reload();
  await small.reload();
  expect(small.rowCount()).toBe(3);
  expect(counts).toBe(1);
  const empty = createRecordWindow(sourceOf(0));
  await empty.reload();
  expect(empty.rowCount()).toBe(0);
});

test('answers of the server replace what is shown', async () => {
  const window = createRecordWindow(sourceOf(3));
  await window.reload();
  await window.read(async () => [{ id: 'rec1', fields: { name: 'new' } }]);
  expect(window.find('rec1')?.fields).toEqual({ name: 'new' });
});

test('another order is shown at once, never half of the old one and half of the new', async () => {
  let shift = 0;
  const answers: (() => void)[] = [];
  const total = 3 * pageSize;
  const window = createRecordWindow({
    load: async (skip, take) => {
      const records = Array.from(
        { length: take },
        (_item, index): RecordVo => ({ id: `rec${(skip + index + shift) % total}`, fields: {} }),
      );
      if (shift > 0) await new Promise<void>((resolve) => answers.push(resolve));
      return records;
    },
    size: async () => ({ count: total }),
    isGrouped: () => false,
  });
  await window.reload();
  window.look([[0, total - 1]]);
  await expect.poll(() => window.placeOf(`rec${total - 1}`)).toBe(total - 1);
  shift = pageSize;
  const done = window.reload();
  await expect.poll(() => answers.length).toBe(3);
  for (const answer of answers) {
    answer();
    await Promise.resolve();
    expect([window.placeOf('rec0'), window.placeOf(`rec${pageSize}`)].toSorted()).toEqual([0, pageSize]);
  }
  await done;
  expect(window.placeOf('rec0')).toBe(2 * pageSize);
});

test('a reload that is asked for while one is under way follows it, and neither is given up', async () => {
  let asked = 0;
  const answers: (() => void)[] = [];
  const window = createRecordWindow({
    load: async () => {
      asked += 1;
      const id = `rec${asked}`;
      await new Promise<void>((resolve) => answers.push(resolve));
      return [{ id, fields: {} }];
    },
    size: async () => ({ count: 1 }),
    isGrouped: () => false,
  });
  const first = window.reload();
  const [second, third] = [window.reload(), window.reload()];
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  await first;
  expect(window.at(0)?.id).toBe('rec1');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await Promise.all([second, third]);
  expect(window.at(0)?.id).toBe('rec2');
  expect(asked).toBe(2);
});

test('the record of the cursor stays known when it leaves the view, and follows changes', async () => {
  let ids = ['recA', 'recB'];
  const window = createRecordWindow({
    load: async () => ids.map((id) => ({ id, fields: { n: 1 } })),
    size: async () => ({ count: ids.length }),
    isGrouped: () => false,
  });
  await window.reload();
  window.keep(window.at(1));
  ids = ['recA'];
  await window.reload();
  expect(window.placeOf('recB')).toBeUndefined();
  window.change([{ id: 'recB', apply: (record) => ({ ...record, fields: { n: 2 } }) }]);
  expect(window.find('recB')?.fields).toEqual({ n: 2 });
});

test('pages of several parts of the table are loaded when the groups between them are collapsed', async () => {
  const source = sourceOf(1_000_000);
  const window = createRecordWindow(source);
  await window.reload();
  window.look([
    [100, 110],
    [700_000, 700_010],
  ]);
  await expect.poll(() => window.at(700_005)?.id).toBe('rec700005');
  expect(window.at(105)?.id).toBe('rec105');
  expect(source.asked.length).toBeLessThan(5);
});

test('a change that arrives while its page is being read is not lost', async () => {
  let answer: (records: RecordVo[]) => void = () => undefined;
  const window = createRecordWindow({
    load: () => new Promise((resolve) => (answer = resolve)),
    size: async () => ({ count: 1 }),
    isGrouped: () => false,
  });
  const loaded = window.reload();
  window.change([{ id: 'recA', apply: (record) => ({ ...record, fields: { ...record.fields, name: 'new' } }) }]);
  answer([{ id: 'recA', fields: { name: 'old', count: 1 } }]);
  await loaded;
  expect(window.find('recA')?.fields).toEqual({ name: 'new', count: 1 });
});

test('a change that arrives while its record is being read is not lost either', async () => {
  const window = createRecordWindow(sourceOf(1));
  await window.reload();
  const renamed = {
    id: 'rec0',
    apply: (record: RecordVo) => ({ ...record, fields: { ...record.fields, name: 'new' } }),
  };
  await window.read(async () => {
    window.change([renamed]);
    return [{ id: 'rec0', fields: { name: 'old', count: 1 } }];
  });
  expect(window.find('rec0')?.fields).toEqual({ name: 'new', count: 1 });
});

test('of two answers about a record the one that was asked for later counts, whichever comes first', async () => {
  const pages: ((records: RecordVo[]) => void)[] = [];
  const window = createRecordWindow({
    load: () => new Promise((resolve) => pages.push(resolve)),
    size: async () => ({ count: 1 }),
    isGrouped: () => false,
  });
  const first = window.reload();
  pages[0]?.([{ id: 'recA', fields: { n: 0 } }]);
  await first;
  const reads: ((records: RecordVo[]) => void)[] = [];
  const ask = (): Promise<void> => window.read(() => new Promise((resolve) => reads.push(resolve)));
  const answer = (to: typeof reads, at: number, n: number): void => to[at]?.([{ id: 'recA', fields: { n } }]);
  const shown = (): unknown => window.find('recA')?.fields['n'];

  const [older, newer] = [ask(), ask()];
  answer(reads, 1, 2);
  await newer;
  answer(reads, 0, 1);
  await older;
  expect(shown()).toBe(2);

  // A page that was asked for before a record was read by itself, and one that was asked for after it.
  const page = window.reload();
  const single = ask();
  answer(reads, 2, 4);
  await single;
  answer(pages, 1, 3);
  await page;
  expect(shown()).toBe(4);
  const late = ask();
  const next = window.reload();
  answer(pages, 2, 6);
  await next;
  answer(reads, 3, 5);
  await late;
  expect(shown()).toBe(6);
});
