import { expect, test } from 'vitest';
import { fileOf, type Drawing, isEmptyDrawing, summaryOf, tableOf } from './drawing.ts';
import { exampleDrawing as drawingOf } from './example-drawing.ts';

test('the table has a row for each group, and says nothing where there is no value', () => {
  const table = tableOf(drawingOf());
  expect(table.head).toEqual(['Month', 'North', 'South']);
  expect(table.rows.map(({ head, cells }) => [head, ...cells.map(({ text }) => text)])).toEqual([
    ['January', '€10', '€7'],
    ['February', '€25', '–'],
    ['=SUM(A1)', '€-3', '€4'],
  ]);
  expect(table.rows[1]?.cells[0]?.at).toEqual({ group: 1, series: 0 });
  expect(table.rows[1]?.cells[1]?.at).toBeUndefined();
});

test('a single series is called by what is measured', () => {
  const one = drawingOf({ series: drawingOf().series.slice(0, 1) });
  expect(tableOf(one).head).toEqual(['Month', 'Sum of Amount']);
});

test('the file has bare numbers, quotes what has commas, and nothing that a spreadsheet would run', () => {
  const csv = fileOf(drawingOf({ groupName: 'Month, "first"' }));
  expect(csv).toBe('"Month, ""first""",North,South\r\nJanuary,10,7\r\nFebruary,25,\r\n\'=SUM(A1),-3,4');
});

test('the summary names the highest and the lowest group', () => {
  expect(summaryOf(drawingOf())).toBe(
    'Bar chart: Sales. 3 groups. Highest February with €25, lowest =SUM(A1) with €1.',
  );
  expect(summaryOf(drawingOf({ groups: [], series: [], title: '' }))).toBe(
    'Bar chart: Sum of Amount by Month. Nothing to show.',
  );
});

test('a chart without any value is empty', () => {
  const nothing: Partial<Drawing> = { series: [{ key: 'a', name: 'A', values: [null, null, null] }] };
  expect(isEmptyDrawing(drawingOf(nothing))).toBe(true);
  expect(isEmptyDrawing(drawingOf())).toBe(false);
});
