import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import * as chart from './chart.ts';
import * as data from './chart-data.ts';
import * as dashboard from './dashboard.ts';
import * as share from './dashboard-share.ts';
import { listenToBase } from './event.ts';

test('a chart of each type is one of the union, and an unknown key is none', () => {
  const of = { tableId: 'tbl1' };
  const group = { fieldId: 'fld1' };
  const measure = { statistic: 'count' as const };
  const axes = { ...of, group, measures: [measure] };
  const charts: chart.Chart[] = [
    { type: 'bar', ...axes },
    { type: 'stackedBar', ...axes, split: { fieldId: 'fld2', by: 'week' } },
    { type: 'line', ...axes, look: { lineStyle: 'step' } },
    { type: 'area', ...axes },
    { type: 'pie', ...of, group, measure },
    { type: 'scatter', ...of, x: 'fld1', y: 'fld2' },
    { type: 'heatMap', ...of, rows: group, columns: group, measure },
    { type: 'number', ...of, measure, trend: { fieldId: 'fld1', by: 'month' } },
    { type: 'pivot', ...of, rows: [group], measures: [measure] },
    { type: 'records', ...of },
    { type: 'text', text: '# Sales' },
  ];
  expect(charts.map(({ type }) => type)).toEqual(chart.chartTypes);
  for (const one of charts) {
    expect(Value.Check(chart.Chart, one)).toBe(true);
    expect(Value.Check(chart.Chart, { ...one, colour: 'red' })).toBe(false);
  }
});

test('every operation on dashboards is of one tag, and those of a base name it', () => {
  const operations = [dashboard, share, data]
    .flatMap((module) => Object.values(module as Record<string, unknown>))
    .filter((value): value is typeof listenToBase => typeof value === 'object' && value !== null && 'path' in value);
  expect(operations.length).toBeGreaterThan(20);
  for (const { tag, access, path } of operations) {
    expect(tag).toBe('dashboard');
    expect(access.on === 'base').toBe(path.includes(':baseId'));
  }
  expect(listenToBase.path).toBe('/base/:baseId/events');
});
