// A chart as plain data: what is drawn, independent of who asked for it and what it was made of. Nothing here knows the library.
import { csvOf } from '../app/save-text.ts';

export type ChartKind = 'bar' | 'row' | 'line' | 'area' | 'pie' | 'scatter' | 'heat';

/** A group of records along the axis. */
interface DrawnGroup {
  key: string;
  label: string;
}

export interface DrawnSeries {
  key: string;
  name: string;
  /** One of the palette; else the next that is free. */
  color?: string | undefined;
  /** One for each group; null where there is nothing to show. */
  values: readonly (number | null)[];
}

interface DrawnPoint {
  x: number;
  y: number;
  /** Of the radius; all alike without it. */
  size?: number | undefined;
  label: string;
  /** Of the series. */
  series: number;
}

export interface Drawing {
  kind: ChartKind;
  title: string;
  isStacked: boolean;
  /** As shares of the whole group. */
  isShare: boolean;
  isDonut: boolean;
  lineStyle: 'smooth' | 'straight' | 'step';
  legend: 'none' | 'top' | 'bottom' | 'left' | 'right';
  showsValues: boolean;
  /** What the groups are: "Month", "Stage". */
  groupName: string;
  /** What the values are: "Sum of Amount". */
  valueName: string;
  groups: readonly DrawnGroup[];
  series: readonly DrawnSeries[];
  /** Of a scatter chart, in place of groups. */
  points: readonly DrawnPoint[];
  /** Drawn as a line across: a target. */
  goal?: { value: number; label: string } | undefined;
  /** A value as it is read: with its unit, whole. */
  text: (value: number) => string;
  /** The same where room is short: 12.5K. */
  short: (value: number) => string;
  /** Values across a scatter chart. */
  shortX: (value: number) => string;
}

/** Is there anything to be drawn? */
export const isEmptyDrawing = ({ kind, groups, series, points }: Drawing): boolean =>
  kind === 'scatter'
    ? points.length === 0
    : groups.length === 0 || series.every(({ values }) => values.every((value) => value === null));

interface TableCell {
  text: string;
  /** Of the group and series whose records it is made of; undefined for what is none of them. */
  at?: { group: number; series: number } | undefined;
}

interface DrawnTable {
  head: readonly string[];
  rows: readonly { head: string; cells: readonly TableCell[] }[];
}

/** The numbers behind the picture. */
export const tableOf = (drawing: Drawing): DrawnTable => {
  const { kind, groupName, valueName, groups, series, points, text, shortX } = drawing;
  if (kind === 'scatter')
    return {
      head: ['Name', groupName, valueName],
      rows: points.map(({ label, x, y, series: at }, index) => ({
        head: label,
        cells: [{ text: shortX(x) }, { text: text(y), at: { group: index, series: at } }],
      })),
    };
  const only = series.length === 1 ? series[0] : undefined;
  return {
    head: [groupName, ...series.map(({ name }) => (only === undefined ? name : valueName))],
    rows: groups.map(({ label }, group) => ({
      head: label,
      cells: series.map(({ values }, at) => {
        const value = values[group] ?? null;
        return value === null ? { text: '–' } : { text: text(value), at: { group, series: at } };
      }),
    })),
  };
};

/** The same as a file: bare numbers, so that a spreadsheet calculates with them. */
export const fileOf = (drawing: Drawing): string => {
  const { kind, groupName, valueName, groups, series, points } = drawing;
  if (kind === 'scatter')
    return csvOf(
      ['Name', groupName, valueName],
      points.map(({ label, x, y }) => [label, String(x), String(y)]),
    );
  return csvOf(
    [groupName, ...series.map(({ name }) => (series.length === 1 ? valueName : name))],
    groups.map(({ label }, at) => [label, ...series.map(({ values }) => String(values[at] ?? ''))]),
  );
};

const kindWords: Record<ChartKind, string> = {
  bar: 'Bar chart',
  row: 'Bar chart',
  line: 'Line chart',
  area: 'Area chart',
  pie: 'Pie chart',
  scatter: 'Scatter chart',
  heat: 'Heat map',
};

/** What the picture says, for those who do not see it. */
export const summaryOf = (drawing: Drawing): string => {
  const { kind, title, groupName, valueName, groups, series, points, text } = drawing;
  const named = title === '' ? `${valueName} by ${groupName}` : title;
  const what = `${kindWords[kind]}: ${named}`;
  if (isEmptyDrawing(drawing)) return `${what}. Nothing to show.`;
  if (kind === 'scatter') return `${what}. ${points.length} ${points.length === 1 ? 'point' : 'points'}.`;
  const totals = groups.map(({ label }, at) => ({
    label,
    value: series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  }));
  const highest = totals.reduce((best, one) => (one.value > best.value ? one : best));
  const lowest = totals.reduce((best, one) => (one.value < best.value ? one : best));
  const count = `${groups.length} ${groups.length === 1 ? 'group' : 'groups'}`;
  const ends =
    groups.length === 1
      ? `${highest.label} ${text(highest.value)}`
      : `Highest ${highest.label} with ${text(highest.value)}, lowest ${lowest.label} with ${text(lowest.value)}`;
  return `${what}. ${count}. ${ends}.`;
};
