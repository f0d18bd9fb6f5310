// A drawing in the words of the chart library. Pure: chart-picture.tsx gives it to the library.
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartLook } from './chart-look.ts';
import type { DrawnSeries, Drawing } from './drawing.ts';
import { tipOf } from './tip.ts';

type Part = Record<string, unknown>;

/** Names along the axis are cut there; the tip has all of them. */
const longestName = 140;
const narrow = 480;

const isPlain = ({ kind, isStacked, series }: Drawing): boolean =>
  !isStacked && series.length === 1 && (kind === 'bar' || kind === 'row');

const colorOf = ({ color }: DrawnSeries, at: number, { colors }: ChartLook): string =>
  color ?? (colors[at % colors.length] as string);

const axisText = (look: ChartLook): Part => ({ color: look.inkSoft, fontSize: 12, fontFamily: look.font });

const axisName = (name: string, look: ChartLook): Part =>
  name === '' ? {} : { name, nameTextStyle: { color: look.inkSoft, fontSize: 12, fontFamily: look.font } };

/** Every group is named while there is room for some letters of each; the library alone leaves out every other name. */
const namesBelow = (count: number, look: ChartLook): Part => {
  const room = (look.width - 80) / count;
  return room < 52 ? { width: 84 } : { width: room - 8, interval: 0 };
};

const groupAxis = ({ groups, kind }: Drawing, look: ChartLook, name: string): Part => ({
  type: 'category',
  data: groups.map(({ label }) => label),
  boundaryGap: kind !== 'area' || groups.length === 1,
  inverse: kind === 'row',
  axisLine: { lineStyle: { color: look.line } },
  axisTick: { show: false },
  axisLabel: {
    ...axisText(look),
    hideOverlap: true,
    overflow: 'truncate',
    ...(kind === 'row' ? { width: Math.min(longestName, look.width / 3) } : namesBelow(groups.length, look)),
  },
  ...axisName(name, look),
  ...(kind === 'row' ? {} : { nameLocation: 'middle', nameGap: 30 }),
});

export interface Axes {
  groupTitle: string;
  valueTitle: string;
  min?: number | undefined;
  max?: number | undefined;
}

const valueAxis = ({ isShare, short, kind }: Drawing, look: ChartLook, { valueTitle, min, max }: Axes): Part => ({
  type: 'value',
  ...(isShare ? { min: 0, max: 1 } : { min, max }),
  splitNumber: 4,
  // Bars of a length that says how much begin at nothing; lines may begin where they are.
  scale: kind === 'scatter',
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: {
    ...axisText(look),
    hideOverlap: true,
    formatter: (value: number) => (isShare ? `${Math.round(value * 100)}%` : short(value)),
  },
  splitLine: { lineStyle: { color: look.line } },
  ...axisName(valueTitle, look),
  ...(kind === 'row'
    ? { nameLocation: 'middle', nameGap: 28 }
    : {
        nameLocation: 'end',
        nameGap: 12,
        nameTextStyle: { ...axisText(look), align: 'left', padding: [0, 0, 0, -24] },
      }),
});

/** Each as a part of its whole group. */
const asShares = ({ series, groups }: Drawing): (number | null)[][] => {
  const wholes = groups.map((_group, at) => series.reduce((sum, { values }) => sum + Math.abs(values[at] ?? 0), 0));
  return series.map(({ values }) =>
    values.map((value, at) => (value === null || wholes[at] === 0 ? value : value / (wholes[at] as number))),
  );
};

const goalLine = ({ goal, short }: Drawing, look: ChartLook, axis: 'xAxis' | 'yAxis'): Part =>
  goal === undefined
    ? {}
    : {
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { color: look.ink, type: 'dashed', width: 1.5 },
          label: {
            ...axisText(look),
            color: look.ink,
            position: 'insideEndTop',
            formatter: goal.label === '' ? short(goal.value) : `${goal.label} ${short(goal.value)}`,
          },
          data: [{ [axis]: goal.value }],
        },
      };

/** Only the outer end of a bar is round; of a stack none. */
const roundOf = (drawing: Drawing): number[] => {
  if (drawing.isStacked) return [0, 0, 0, 0];
  return drawing.kind === 'row' ? [0, 4, 4, 0] : [4, 4, 0, 0];
};

const lines = { smooth: { smooth: 0.3, smoothMonotone: 'x' }, straight: {}, step: { step: 'middle' } } as const;

const barsAndLines = (drawing: Drawing, look: ChartLook): Part[] => {
  const { kind, series, isStacked, isShare, lineStyle, showsValues, short, groups } = drawing;
  const shown = isShare ? asShares(drawing) : series.map(({ values }) => values);
  const isBar = kind === 'bar' || kind === 'row';
  return series.map((one, at) => {
    const color = colorOf(one, at, look);
    const label = {
      show: showsValues,
      ...axisText(look),
      color: isStacked && isBar ? look.surface : look.ink,
      position: isStacked && isBar ? 'inside' : kind === 'row' ? 'right' : 'top',
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const value = one.values[dataIndex] ?? null;
        return value === null ? '' : short(value);
      },
    };
    return {
      id: one.key,
      name: one.name,
      type: isBar ? 'bar' : 'line',
      data: shown[at],
      itemStyle: { color, ...(isBar ? { borderRadius: roundOf(drawing) } : {}) },
      label,
      labelLayout: { hideOverlap: true },
      emphasis: { focus: isPlain(drawing) ? 'none' : 'series' },
      ...(isStacked ? { stack: 'all' } : {}),
      ...(isBar
        ? { barMaxWidth: 56, barCategoryGap: groups.length > 30 ? '12%' : '32%', barGap: '8%' }
        : {
            lineStyle: { color, width: 2.5 },
            ...lines[lineStyle],
            connectNulls: false,
            symbol: 'circle',
            symbolSize: 7,
            showSymbol: groups.length <= 40,
            ...(kind === 'area' ? { areaStyle: { color, opacity: isStacked ? 0.55 : 0.16 } } : {}),
          }),
      ...(at === 0 && !isShare ? goalLine(drawing, look, kind === 'row' ? 'xAxis' : 'yAxis') : {}),
    };
  });
};

const legendOf = ({ kind, series, groups, legend }: Drawing, look: ChartLook): Part => {
  const names = kind === 'pie' ? groups.map(({ label }) => label) : series.map(({ name }) => name);
  if (legend === 'none' || names.length < 2 || kind === 'heat') return { show: false };
  const isAside = (legend === 'left' || legend === 'right') && look.width >= narrow;
  return {
    show: true,
    type: 'scroll',
    data: names,
    icon: 'roundRect',
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 14,
    textStyle: { ...axisText(look), width: isAside ? longestName : look.width - 60, overflow: 'truncate' },
    pageTextStyle: axisText(look),
    pageIconColor: look.inkSoft,
    pageIconInactiveColor: look.line,
    ...(isAside
      ? { orient: 'vertical', top: 'middle', [legend]: 0 }
      : { left: 0, right: 0, [legend === 'top' ? 'top' : 'bottom']: 0 }),
  };
};

/** The room around the axes. */
const gridOf = (drawing: Drawing, look: ChartLook, { groupTitle, valueTitle }: Axes): Part => {
  const legend = legendOf(drawing, look);
  const shows = legend['show'] === true;
  const isAside = legend['orient'] === 'vertical';
  const names = drawing.kind === 'row' ? valueTitle : groupTitle;
  const top = (drawing.kind !== 'row' && valueTitle !== '' ? 30 : 14) + (shows && legend['top'] === 0 ? 26 : 0);
  return {
    left: 4 + (isAside && drawing.legend === 'left' ? longestName + 24 : 0),
    right: 14 + (isAside && drawing.legend === 'right' ? longestName + 24 : 0),
    top,
    bottom: (shows && legend['bottom'] === 0 ? 32 : 4) + (names === '' ? 0 : 18),
    outerBoundsMode: 'same',
    outerBoundsContain: 'axisLabel',
  };
};

const pieOf = (drawing: Drawing, look: ChartLook): Part[] => {
  const [one] = drawing.series;
  if (one === undefined) return [];
  const { groups, showsValues, text, isDonut } = drawing;
  const shown = legendOf(drawing, look);
  const isAside = shown['orient'] === 'vertical';
  const aside = isAside ? (drawing.legend === 'left' ? '60%' : '40%') : '50%';
  return [
    {
      id: one.key,
      name: one.name,
      type: 'pie',
      radius: isDonut ? ['52%', '80%'] : ['0%', '80%'],
      center: [aside, shown['show'] === true && !isAside ? (shown['top'] === 0 ? '56%' : '45%') : '50%'],
      startAngle: 90,
      // A line of the page between slices: colours beside each other need not do it alone.
      itemStyle: { borderColor: look.surface, borderWidth: 2, borderRadius: 3 },
      label: {
        show: showsValues && look.width >= 260,
        ...axisText(look),
        color: look.ink,
        formatter: ({ dataIndex, percent }: { dataIndex: number; percent: number }) =>
          `${groups[dataIndex]?.label ?? ''}\n${text(one.values[dataIndex] ?? 0)} · ${Math.round(percent)}%`,
        overflow: 'truncate',
      },
      labelLayout: { hideOverlap: true },
      labelLine: { show: showsValues, lineStyle: { color: look.inkSoft } },
      emphasis: { scaleSize: 4 },
      data: groups.map(({ label }, at) => ({
        name: label,
        // A slice has a size; less than nothing has none.
        value: Math.max(0, one.values[at] ?? 0),
        itemStyle: { color: look.colors[at % look.colors.length] },
      })),
    },
  ];
};

const scatterOf = (drawing: Drawing, look: ChartLook): Part[] => {
  const most = Math.max(1, ...drawing.points.map(({ size = 0 }) => Math.abs(size)));
  return drawing.series.map((one, at) => {
    const own = drawing.points.flatMap((point, index) => (point.series === at ? [{ point, index }] : []));
    return {
      id: one.key,
      name: one.name,
      type: 'scatter',
      itemStyle: { color: colorOf(one, at, look), opacity: 0.8, borderColor: look.surface, borderWidth: 1 },
      emphasis: { focus: 'series' },
      data: own.map(({ point: { x, y, size }, index }) => ({
        value: [x, y],
        place: index,
        // The area says how much, not the width.
        symbolSize: size === undefined ? 10 : 6 + 30 * Math.sqrt(Math.abs(size) / most),
      })),
    };
  });
};

const heatOf = (drawing: Drawing, look: ChartLook): EChartsCoreOption => {
  const { groups, series, showsValues, short } = drawing;
  const cells = series.flatMap(({ values }, y) =>
    values.flatMap((value, x) => (value === null ? [] : [[x, y, value] as const])),
  );
  const all = cells.map(([, , value]) => value);
  const most = Math.max(...all);
  const least = Math.min(0, ...all);
  const half = (most + least) / 2;
  const axis = (labels: readonly string[], width: number): Part => ({
    type: 'category',
    data: labels,
    axisLine: { show: false },
    axisTick: { show: false },
    splitArea: { show: false },
    axisLabel: { ...axisText(look), hideOverlap: true, overflow: 'truncate', width },
  });
  return {
    grid: { left: 4, right: 4, top: 8, bottom: 44, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: axis(
      groups.map(({ label }) => label),
      Math.max(44, (look.width - 120) / Math.max(1, groups.length)),
    ),
    yAxis: {
      ...axis(
        series.map(({ name }) => name),
        Math.min(longestName, look.width / 3),
      ),
      inverse: true,
    },
    visualMap: {
      min: least,
      max: most === least ? least + 1 : most,
      calculable: false,
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: 12,
      itemHeight: 120,
      text: [short(most), short(least)],
      textStyle: axisText(look),
      inRange: { color: [...look.heat] },
    },
    series: [
      {
        id: 'heat',
        type: 'heatmap',
        itemStyle: { borderColor: look.surface, borderWidth: 2, borderRadius: 4 },
        emphasis: { itemStyle: { borderColor: look.ink, borderWidth: 1.5 } },
        data: cells.map(([x, y, value]) => ({
          value: [x, y, value],
          // Dark colours of one theme are the light ones of the other: what is written on them is the page, or the ink.
          label: { color: value > half ? look.surface : look.ink },
        })),
        label: {
          show: showsValues || look.width / Math.max(1, groups.length) > 56,
          fontSize: 12,
          fontFamily: look.font,
          formatter: ({ value: [, , value] }: { value: [number, number, number] }) => short(value),
        },
      },
    ],
  };
};

export const optionOf = (drawing: Drawing, look: ChartLook, axes: Axes): EChartsCoreOption => {
  const { kind, shortX } = drawing;
  const common: EChartsCoreOption = {
    animation: !look.isStill,
    animationDuration: 350,
    animationDurationUpdate: 350,
    textStyle: { fontFamily: look.font },
    legend: legendOf(drawing, look),
    tooltip: {
      trigger: kind === 'pie' || kind === 'scatter' || kind === 'heat' ? 'item' : 'axis',
      axisPointer: {
        type: kind === 'bar' || kind === 'row' ? 'shadow' : 'line',
        shadowStyle: { color: look.line, opacity: 0.35 },
      },
      confine: true,
      padding: 0,
      borderWidth: 0,
      backgroundColor: 'transparent',
      extraCssText: 'box-shadow:none',
      formatter: (params: unknown) => tipOf(drawing, params),
    },
  };
  if (kind === 'heat') return { ...common, ...heatOf(drawing, look) };
  if (kind === 'pie') return { ...common, series: pieOf(drawing, look) };
  const grid = gridOf(drawing, look, axes);
  if (kind === 'scatter')
    return {
      ...common,
      grid,
      xAxis: {
        ...valueAxis({ ...drawing, short: shortX }, look, { groupTitle: '', valueTitle: '' }),
        ...axisName(axes.groupTitle, look),
        nameLocation: 'middle',
        nameGap: 30,
      },
      yAxis: valueAxis(drawing, look, axes),
      series: scatterOf(drawing, look),
    };
  const along = groupAxis(drawing, look, axes.groupTitle);
  const across = valueAxis(drawing, look, axes);
  return {
    ...common,
    grid,
    xAxis: kind === 'row' ? across : along,
    yAxis: kind === 'row' ? along : across,
    series: barsAndLines(drawing, look),
  };
};
