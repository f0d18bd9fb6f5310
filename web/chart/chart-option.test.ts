import { expect, test } from 'vitest';
import type { ChartLook } from './chart-look.ts';
import { optionOf } from './chart-option.ts';
import type { Drawing } from './drawing.ts';
import { exampleDrawing } from './example-drawing.ts';
import { tipWords } from './tip.ts';

const look: ChartLook = {
  ink: '#111111',
  inkSoft: '#555555',
  line: '#dddddd',
  surface: '#ffffff',
  colors: ['#c1', '#c2', '#c3'],
  heat: ['#h0', '#h1'],
  font: 'Inter',
  width: 600,
  isStill: false,
};

interface Made {
  xAxis: { type: string; data?: string[]; min?: number; max?: number };
  yAxis: { type: string; max?: number };
  legend: { show: boolean; orient?: string };
  series: {
    type: string;
    name: string;
    data: unknown[];
    stack?: string;
    itemStyle: { color: string };
    areaStyle?: unknown;
    markLine?: { data: unknown[] };
    radius?: string[];
  }[];
  animation: boolean;
}

const made = (change: Partial<Drawing> = {}, look_: Partial<ChartLook> = {}): Made =>
  optionOf(exampleDrawing(change), { ...look, ...look_ }, { groupTitle: '', valueTitle: '' }) as unknown as Made;

test('bars stand on the groups; lying ones have them at the side', () => {
  const bars = made();
  expect(bars.xAxis).toMatchObject({ type: 'category', data: ['January', 'February', '=SUM(A1)'] });
  expect(bars.series.map(({ type, data, itemStyle }) => [type, data, itemStyle.color])).toEqual([
    ['bar', [10, 25, -3], '#c1'],
    ['bar', [7, null, 4], '#c2'],
  ]);
  const rows = made({ kind: 'row' });
  expect([rows.xAxis.type, rows.yAxis.type]).toEqual(['value', 'category']);
});

test('stacks share one place; as shares each group is a whole', () => {
  const stacked = made({ isStacked: true, isShare: true });
  expect(new Set(stacked.series.map(({ stack }) => stack)).size).toBe(1);
  expect(stacked.series.map(({ data }) => data[0])).toEqual([10 / 17, 7 / 17]);
  expect(stacked.yAxis.max).toBe(1);
});

test('an area is a line with something below it, and the target is a line across', () => {
  const area = made({ kind: 'area', goal: { value: 20, label: 'Target' } });
  expect(area.series[0]).toMatchObject({ type: 'line', markLine: { data: [{ yAxis: 20 }] } });
  expect(area.series[0]?.areaStyle).toBeDefined();
  expect(area.series[1]?.markLine).toBeUndefined();
});

test('a pie has a slice for each group and none of less than nothing', () => {
  const pie = made({ kind: 'pie', isDonut: true });
  expect(pie.series[0]?.data).toMatchObject([
    { name: 'January', value: 10 },
    { name: 'February', value: 25 },
    { name: '=SUM(A1)', value: 0 },
  ]);
  expect(pie.series[0]?.radius?.[0]).not.toBe('0%');
});

test('points of a series keep their place among all points', () => {
  const points = [
    { x: 1, y: 2, label: 'a', series: 0 },
    { x: 3, y: 4, label: 'b', series: 1, size: 9 },
    { x: 5, y: 6, label: 'c', series: 0 },
  ];
  const scatter = made({ kind: 'scatter', points });
  expect(scatter.series.map(({ data }) => data)).toMatchObject([
    [
      { value: [1, 2], place: 0 },
      { value: [5, 6], place: 2 },
    ],
    [{ value: [3, 4], place: 1 }],
  ]);
});

test('a heat map leaves out what has no value', () => {
  const heat = made({ kind: 'heat' });
  expect(heat.series[0]?.data).toHaveLength(5);
});

test('a legend is shown where colours mean something, beside the chart only where there is room', () => {
  expect(made().legend.show).toBe(true);
  expect(made({ series: exampleDrawing().series.slice(0, 1) }).legend.show).toBe(false);
  expect(made({ legend: 'none' }).legend.show).toBe(false);
  expect(made({ legend: 'right' }).legend.orient).toBe('vertical');
  expect(made({ legend: 'right' }, { width: 300 }).legend.orient).toBeUndefined();
});

test('each group is named below as long as there is room for a name', () => {
  const labels = (width: number): unknown =>
    (made({}, { width }) as unknown as { xAxis: { axisLabel: unknown } }).xAxis.axisLabel;
  expect(labels(320)).toMatchObject({ interval: 0, width: 72 });
  expect(labels(200)).not.toHaveProperty('interval');
});

test('nothing moves for people who do not want it', () => {
  expect(made({}, { isStill: true }).animation).toBe(false);
});

test('the tip tells the whole values of a group, each in its colour', () => {
  const tip = tipWords(exampleDrawing(), [
    { seriesIndex: 0, dataIndex: 1, color: '#c1' },
    { seriesIndex: 1, dataIndex: 1, color: '#c2' },
  ]);
  expect(tip).toEqual({ head: 'February', lines: [{ color: '#c1', name: 'North', text: '€25' }] });
});
