import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { dayLength, workingTime } from '@rowhouse/contract/working-days.ts';
import { expect, test } from 'vitest';
import type { BarFields } from './bar-fields.ts';
import { barsOf, cellsFor, coveredBy, spanOf } from './bars.ts';
import { shifted } from './dependencies.ts';
import { hitAt } from './hit.ts';
import { rowHeight, rowsOf } from './rows.ts';

const date = (id: string, time = 'None', timeZone = 'UTC'): Field =>
  ({
    id,
    name: id,
    type: 'date',
    cellValueType: 'dateTime',
    options: { formatting: { date: 'YYYY-MM-DD', time, timeZone } },
  }) as unknown as Field;
const other = (id: string, type: string, options: object = {}): Field =>
  ({ id, name: id, type, cellValueType: type === 'number' ? 'number' : 'string', options }) as unknown as Field;
const record = (fields: Record<string, unknown>, id = 'recA'): RecordVo =>
  ({ id, name: id, fields }) as unknown as RecordVo;
const at = (text: string): number => Date.parse(text.length > 10 ? `${text}:00.000Z` : `${text}T00:00:00.000Z`);
const text = (span: { start: number; end: number } | undefined): string[] | undefined =>
  span && [span.start, span.end].map((moment) => new Date(moment).toISOString().slice(0, 16).replace('T00:00', ''));
const fields = (given: Partial<BarFields> = {}): BarFields => ({
  start: date('from'),
  end: date('until'),
  duration: undefined,
  lane: undefined,
  works: workingTime([1, 2, 3, 4, 5]),
  ...given,
});
const written = (given: ReturnType<typeof cellsFor>) =>
  Object.fromEntries(given.map(({ field, value }) => [field.id, value]));

test('a bar covers its last day, and one day without an end; without a start there is none', () => {
  const cells = { from: '2026-11-16T00:00:00.000Z', until: '2026-11-18T00:00:00.000Z' };
  expect(text(spanOf(fields(), record(cells)))).toEqual(['2026-11-16', '2026-11-19']);
  expect(text(spanOf(fields(), record({ from: cells.from })))).toEqual(['2026-11-16', '2026-11-17']);
  expect(text(spanOf(fields(), record({ from: cells.until, until: cells.from })))).toEqual([
    '2026-11-18',
    '2026-11-19',
  ]);
  expect(spanOf(fields(), record({ until: cells.until }))).toBeUndefined();
  expect(text(spanOf(fields(), record(cells), true))).toEqual(['2026-11-16', '2026-11-17']);
});

test('a bar stands on the days that its fields show, wherever one is', () => {
  const tokyo = fields({ start: date('from', 'None', 'Asia/Tokyo'), end: date('until', 'None', 'Asia/Tokyo') });
  const cells = { from: '2026-11-15T20:00:00.000Z', until: '2026-11-16T20:00:00.000Z' };
  expect(text(spanOf(tokyo, record(cells)))).toEqual(['2026-11-16', '2026-11-18']);
});

test('a number says how many working days a bar lasts', () => {
  const lasting = fields({ end: undefined, duration: other('days', 'number') });
  const cells = { from: '2026-11-19T00:00:00.000Z', days: 4 };
  const span = spanOf(lasting, record(cells));
  // A Thursday; two free days lie between.
  expect(text(span)).toEqual(['2026-11-19', '2026-11-25']);
  expect(text(spanOf(lasting, record({ ...cells, days: 1.5 })))).toEqual(['2026-11-19', '2026-11-21']);
  expect(text(spanOf(lasting, record({ ...cells, days: -3 })))).toEqual(['2026-11-19', '2026-11-20']);
  // Moved it still lasts four days; stretched by three it lasts seven.
  const bar = { ...(span as { start: number; end: number }) };
  expect(written(cellsFor(lasting, record(cells), bar, { start: at('2026-11-16'), end: at('2026-11-20') }))).toEqual({
    from: '2026-11-16T00:00:00.000Z',
  });
  expect(written(cellsFor(lasting, record(cells), bar, { ...bar, end: bar.end + 3 * dayLength }))).toEqual({ days: 7 });
});

test('what a date does not show stays when a bar is moved, also over a change of the clocks', () => {
  const berlin = fields({
    start: date('from', 'HH:mm', 'Europe/Berlin'),
    end: date('until', 'HH:mm', 'Europe/Berlin'),
    works: workingTime([]),
  });
  const one = record({ from: '2026-10-23T07:30:12.000Z', until: '2026-10-23T15:00:00.000Z' });
  const span = spanOf(berlin, one) as { start: number; end: number };
  const to = { start: span.start + 4 * dayLength, end: span.end + 4 * dayLength };
  expect(written(cellsFor(berlin, one, span, to))).toEqual({
    from: '2026-10-27T08:30:12.000Z',
    until: '2026-10-27T16:00:00.000Z',
  });
  const days = record({ from: '2026-11-16T13:00:00.000Z', until: '2026-11-18T09:00:00.000Z' });
  const shown = spanOf(fields(), days) as { start: number; end: number };
  expect(written(cellsFor(fields(), days, shown, { ...shown, end: shown.end + dayLength }))).toEqual({
    until: '2026-11-19T09:00:00.000Z',
  });
});

test('an end that is not set is set by stretching alone, and one before the start is put right', () => {
  const open = record({ from: '2026-11-16T00:00:00.000Z' });
  const span = { start: at('2026-11-16'), end: at('2026-11-17') };
  expect(written(cellsFor(fields(), open, span, { start: at('2026-11-17'), end: at('2026-11-18') }))).toEqual({
    from: '2026-11-17T00:00:00.000Z',
  });
  expect(written(cellsFor(fields(), open, span, { ...span, end: at('2026-11-19') }))).toEqual({
    until: '2026-11-18T00:00:00.000Z',
  });
  const wrong = record({ from: '2026-11-16T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' });
  expect(written(cellsFor(fields(), wrong, span, { start: at('2026-11-17'), end: at('2026-11-18') }))).toEqual({
    from: '2026-11-17T00:00:00.000Z',
    until: '2026-11-17T00:00:00.000Z',
  });
  expect(text(coveredBy(fields(), at('2026-11-18T20:00'), at('2026-11-16T09:00')))).toEqual([
    '2026-11-16',
    '2026-11-19',
  ]);
});

test('a bar that is moved begins on a working day and takes as many of them', () => {
  const [bar] = barsOf(
    fields(),
    [record({ from: '2026-11-16T00:00:00.000Z', until: '2026-11-20T00:00:00.000Z' })],
    undefined,
    () => 'A',
  );
  // On a Saturday there is no work.
  expect(text(shifted(fields().works, bar!, at('2026-11-21')))).toEqual(['2026-11-23', '2026-11-28']);
  expect(text(shifted(fields().works, bar!, at('2026-11-18')))).toEqual(['2026-11-18', '2026-11-25']);
});

const plan = barsOf(
  fields({ end: undefined }),
  [
    record({ from: '2026-11-16T00:00:00.000Z', team: 'Build', tags: ['x', 'y'] }, 'one'),
    record({ from: '2026-11-16T00:00:00.000Z', team: 'Draw', tags: ['y'] }, 'two'),
    record({ from: '2026-11-17T00:00:00.000Z', team: 'Build' }, 'three'),
    record({ from: '2026-11-16T00:00:00.000Z' }, 'four'),
    record({ from: '2026-11-16T00:00:00.000Z', team: 'Build' }, 'five'),
  ],
  undefined,
  ({ id }) => id,
);
const shown = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ isHead, lane, count, bars }) => (isHead ? `${lane?.name} ${count}` : bars.map(({ id }) => id).join(' ')));

test('lanes stand in the order of their choices, and hold bars side by side where they do not overlap', () => {
  const team = other('team', 'singleSelect', { choices: [{ name: 'Draw' }, { name: 'Build' }] });
  expect(shown(rowsOf(plan, { field: team, isRowEach: false, gap: 0 }))).toEqual([
    'Draw 1',
    'two',
    'Build 3',
    'one three',
    'five',
    'No team 1',
    'four',
  ]);
  const tags = other('tags', 'multipleSelect', { choices: [{ name: 'x' }, { name: 'y' }] });
  expect(shown(rowsOf(plan, { field: tags, isRowEach: true, gap: 0 }))).toEqual([
    'x 1',
    'one',
    'y 2',
    'one',
    'two',
    'No tags 3',
    'three',
    'four',
    'five',
  ]);
});

test('a pointer takes hold of a bar, of one of its ends, or of nothing', () => {
  const rows = rowsOf(
    barsOf(
      fields(),
      [record({ from: '2026-11-16T00:00:00.000Z', until: '2026-11-18T00:00:00.000Z' })],
      undefined,
      () => 'A',
    ),
    { field: undefined, isRowEach: true, gap: 0 },
  );
  const msPerPx = dayLength / 20;
  const xOf = (moment: number): number => 100 + (moment - at('2026-11-16')) / msPerPx;
  const partAt = (x: number, y = 46 + rowHeight / 2): unknown => {
    const found = hitAt({ rows, side: 40, top: 0, msPerPx, xOf }, x, y, 7);
    return found && [found.row, found.part];
  };
  expect([partAt(102), partAt(130), partAt(158), partAt(200), partAt(10)]).toEqual([
    [0, 'start'],
    [0, 'whole'],
    [0, 'end'],
    [0, undefined],
    [0, 'name'],
  ]);
  expect([partAt(130, 20), partAt(130, 46 + 2 * rowHeight)]).toEqual([undefined, [2, undefined]]);
});
