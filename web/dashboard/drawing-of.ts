// What the server tells of a chart, as a drawing.
import type { ChartType, Look } from '@rowhouse/contract/chart.ts';
import type { ChartDataOf, ChartGroup } from '@rowhouse/contract/chart-data.ts';
import type { Axes } from '../chart/chart-option.ts';
import type { ChartKind, Drawing } from '../chart/drawing.ts';
import { periodLabel } from './period-label.ts';
import { nameOf, plainText, textOf, type ValueText } from './measure-words.ts';

/** A chart as it is known to somebody who reads it. */
export interface ShownChart {
  name: string;
  type: ChartType;
  look: Look;
}

type GroupedBy = ChartDataOf<'groups'>['groupedBy'][number];

export const groupLabel = ({ value, label }: Pick<ChartGroup, 'value' | 'label'>, by: GroupedBy | undefined): string =>
  by?.by !== undefined && typeof value === 'string' ? periodLabel(value, by.by) : label === '' ? 'Empty' : label;

const kinds: Partial<Record<ChartType, ChartKind>> = {
  bar: 'bar',
  stackedBar: 'bar',
  line: 'line',
  area: 'area',
  pie: 'pie',
  scatter: 'scatter',
  heatMap: 'heat',
};

const lineStyles = { normal: 'smooth', linear: 'straight', step: 'step' } as const;

type Worded = Pick<ChartDataOf<'groups'>, 'measures' | 'groupedBy'>;

export const textOfMeasure = ({ measures }: Worded, at: number): ValueText => {
  const words = measures[at];
  return words === undefined ? plainText : textOf(words);
};

export const nameOfMeasure = ({ measures }: Worded, at: number): string => {
  const words = measures[at];
  return words === undefined ? 'Value' : nameOf(words);
};

const common = (
  { name, type, look }: ShownChart,
  data: Worded,
): Omit<Drawing, 'groups' | 'series' | 'points' | 'valueName'> => {
  const kind = kinds[type] ?? 'bar';
  return {
    kind: kind === 'bar' && look.horizontal === true ? 'row' : kind,
    title: name,
    isStacked: type === 'stackedBar' || (type === 'area' && look.percent === true),
    isShare: look.percent === true && (type === 'stackedBar' || type === 'area'),
    isDonut: look.donut === true,
    lineStyle: lineStyles[look.lineStyle ?? 'linear'],
    legend: look.legend ?? 'bottom',
    showsValues: look.labels === true,
    groupName: look.xTitle ?? data.groupedBy[0]?.name ?? 'Group',
    goal: look.goal === undefined ? undefined : { value: look.goal.value, label: look.goal.label ?? '' },
    ...plainText,
    shortX: plainText.short,
  };
};

export const drawingOfGroups = (shown: ShownChart, data: ChartDataOf<'groups'>): Drawing => {
  const first = data.series[0]?.measure ?? 0;
  return {
    ...common(shown, data),
    ...textOfMeasure(data, first),
    valueName: shown.look.yTitle ?? nameOfMeasure(data, first),
    groups: data.groups.map((group, at) => ({
      key: String(group.value ?? `empty ${at}`),
      label: groupLabel(group, data.groupedBy[0]),
    })),
    series: data.series.map(({ group, measure }, at) => ({
      key: `${at} ${String(group?.value ?? measure)}`,
      name: group === undefined ? nameOfMeasure(data, measure) : groupLabel(group, data.groupedBy[1]),
      values: data.values[at] ?? [],
    })),
    points: [],
  };
};

const numberOf = (value: number | string): number => (typeof value === 'number' ? value : Date.parse(value));

const dayOf = (value: number): string => new Date(value).toISOString().slice(0, 10);

/** Of an axis of points. */
const axisText = (data: Worded, at: number, values: readonly (number | string)[]): ValueText =>
  values.some((value) => typeof value === 'string') ? { text: dayOf, short: dayOf } : textOfMeasure(data, at);

export const drawingOfPoints = (shown: ShownChart, data: ChartDataOf<'points'>): Drawing => {
  const { points, measures, series } = data;
  const across = axisText(
    data,
    0,
    points.map(({ x }) => x),
  );
  return {
    ...common(shown, data),
    ...axisText(
      data,
      1,
      points.map(({ y }) => y),
    ),
    shortX: across.short,
    groupName: shown.look.xTitle ?? measures[0]?.label ?? 'Across',
    valueName: shown.look.yTitle ?? measures[1]?.label ?? 'Up',
    groups: [],
    series: series.map(({ label, group }, at) => ({
      key: String(at),
      name: group === undefined ? label : groupLabel(group, data.groupedBy[0]),
      values: [],
    })),
    points: points.map(({ x, y, size, name, series: at }) => ({
      x: numberOf(x),
      y: numberOf(y),
      size: size ?? undefined,
      label: name === '' ? 'Unnamed record' : name,
      series: at,
    })),
  };
};

export const axesOf = ({ xTitle = '', yTitle = '', yMin, yMax }: Look): Axes => ({
  groupTitle: xTitle,
  valueTitle: yTitle,
  min: yMin,
  max: yMax,
});
