// A drawing for tests.
import type { Drawing } from './drawing.ts';

const euros = (value: number): string => `€${value}`;

export const exampleDrawing = (change: Partial<Drawing> = {}): Drawing => ({
  kind: 'bar',
  title: 'Sales',
  isStacked: false,
  isShare: false,
  isDonut: false,
  lineStyle: 'straight',
  legend: 'bottom',
  showsValues: false,
  groupName: 'Month',
  valueName: 'Sum of Amount',
  groups: [
    { key: '1', label: 'January' },
    { key: '2', label: 'February' },
    { key: '3', label: '=SUM(A1)' },
  ],
  series: [
    { key: 'n', name: 'North', values: [10, 25, -3] },
    { key: 's', name: 'South', values: [7, null, 4] },
  ],
  points: [],
  text: euros,
  short: euros,
  shortX: String,
  ...change,
});
