import type { RecordVo } from '@rowhouse/contract/record.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRows, rowsAtOnce } from './load-rows.ts';

const record = (id: number): RecordVo => ({ id: `rec${id}`, fields: {} });
const ids = (count: number): number[] => Array.from({ length: count }, (_item, index) => index);

/** A table that is changed by `change` after so many parts were read; rows of `loaded` are on the screen. */
const read = (
  count: number,
  first: number,
  last: number,
  loaded: ReadonlySet<number>,
  change: (list: number[]) => number[],
  after: number,
): Promise<RecordVo[]> => {
  let list = ids(count);
  let parts = 0;
  return loadRows(
    {
      tableId: '',
      viewId: '',
      rows: { placeAt: (row) => row },
      recordAt: (row) => (loaded.has(row) ? record(row) : undefined),
    },
    first,
    last,
    [],
    async (skip, take) => {
      if (parts === after) list = change(list);
      parts += 1;
      return list.slice(skip, skip + take).map(record);
    },
  );
};

const names = async (records: Promise<RecordVo[]>): Promise<string[] | string> =>
  records.then(
    (found) => found.map(({ id }) => id),
    (error: Error) => error.message,
  );

test('a range that is changed while it is read is read as it was selected, or not at all', async () => {
  const [count, last] = [3 * rowsAtOnce, 2 * rowsAtOnce + 500];
  const loaded = new Set([0, 1, 2, last - 1, last]);
  const meant = ids(last + 1).map((id) => `rec${id}`);
  expect(await names(read(count, 0, last, loaded, (list) => list, 0))).toEqual(meant);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      fc.nat({ max: count - 1 }),
      fc.option(fc.nat({ max: count - 1 })),
      async (after, gone, to) => {
        // Deleted, or moved elsewhere.
        const found = await names(
          read(
            count,
            0,
            last,
            loaded,
            (list) =>
              to === null ? list.toSpliced(gone, 1) : list.toSpliced(gone, 1).toSpliced(to, 0, list[gone] as number),
            after,
          ),
        );
        if (typeof found === 'string') {
          expect(found).toBe('Someone moved these rows while they were being read');
          return;
        }
        // Nothing is there that did not stand between the ends, and nothing is missing but what went.
        const there = new Set(found);
        expect(
          found.filter((id) => Number(id.slice(3)) > last && !(to !== null && to <= last && id === `rec${gone}`)),
        ).toEqual([]);
        expect(meant.filter((id) => id !== `rec${gone}` && !there.has(id))).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('a row that comes in between ends the reading', async () => {
  const insert = (at: number) => (list: number[]) => list.toSpliced(at, 0, 99_999);
  const loaded = new Set([0, 2_500]);
  for (const [at, after] of [
    [5, 1],
    [1_500, 1],
    [2_400, 2],
    [1, 0],
  ] as const)
    expect(await names(read(3_000, 0, 2_500, loaded, insert(at), after))).toBe(
      'Someone moved these rows while they were being read',
    );
  // Below what was selected it does not matter.
  expect(await names(read(3_000, 0, 2_500, loaded, insert(2_600), 1))).toHaveLength(2_501);
});
