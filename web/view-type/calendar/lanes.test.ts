import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { barsOf } from './lanes.ts';

const field = (id: string): Field =>
  ({
    id,
    name: id,
    type: 'date',
    cellValueType: 'dateTime',
    options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } },
  }) as unknown as Field;
const record = (id: string, from?: string, until?: string): RecordVo =>
  ({
    id,
    fields: {
      ...(from === undefined ? {} : { start: `${from}T00:00:00.000Z` }),
      ...(until === undefined ? {} : { end: `${until}T00:00:00.000Z` }),
    },
  }) as unknown as RecordVo;
const week = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08'];
const fields = { start: field('start'), end: field('end') };

const shown = (records: RecordVo[]) =>
  barsOf(fields, records, week).map(({ record: { id }, first, last, lane, beginsBefore, endsAfter }) => [
    id,
    first,
    last,
    lane,
    beginsBefore,
    endsAfter,
  ]);

test('records that overlap stand in lanes below each other, others share one', () => {
  expect(
    shown([
      record('c', '2026-11-05'),
      record('a', '2026-11-02', '2026-11-04'),
      record('b', '2026-11-03', '2026-11-06'),
    ]),
  ).toEqual([
    ['a', 0, 2, 0, false, false],
    ['b', 1, 4, 1, false, false],
    ['c', 3, 3, 0, false, false],
  ]);
});

test('what reaches beyond the week is cut at its ends, and what has no day or another week is left out', () => {
  expect(
    shown([
      record('long', '2026-10-20', '2026-12-01'),
      record('none'),
      record('later', '2026-11-09'),
      record('wrong', '2026-11-04', '2026-11-01'),
    ]),
  ).toEqual([
    ['long', 0, 6, 0, true, true],
    ['wrong', 2, 2, 1, false, false],
  ]);
});
