// A line over days, drawn by uPlot. It is a picture: whoever uses it says the same in words or in a table.
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../app/theme.ts';

export interface PlotProps {
  /** The beginning of each day, in seconds since 1970. */
  days: readonly number[];
  values: readonly number[];
  /** Drawn as a line of its own when the values come near it. */
  limit?: number;
  text: (value: number) => string;
  dayText: (seconds: number) => string;
  onHover: (index: number | null) => void;
}

const height = 220;

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The highest value that is shown: a little air above the line, and never a line on the ground of nothing. */
const topOf = (values: readonly number[], limit: number): number => {
  const highest = Math.max(...values);
  if (highest >= limit / 2) return Math.max(highest, limit) * 1.05;
  return Math.max(4, highest * 1.25);
};

const fontOf = (): string => `12px ${getComputedStyle(document.body).fontFamily}`;

const optionsOf = ({ values, limit = Infinity, text, dayText, onHover }: Omit<PlotProps, 'days'>, width: number): UPlot.Options => {
  const top = topOf(values, limit);
  const axis = { stroke: colorOf('ink-faint'), font: fontOf(), grid: { stroke: colorOf('line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { x: { time: true }, y: { range: [0, top] } },
    axes: [
      { ...axis, grid: { show: false }, values: (_plot, splits) => splits.map(dayText), space: 90 },
      { ...axis, size: 76, incrs: [1, 2, 5, 10, 20, 50, ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))], values: (_plot, splits) => splits.map(text) },
    ],
    series: [
      {},
      { stroke: colorOf('accent'), width: 2, fill: `color-mix(in srgb, ${colorOf('accent')} 14%, transparent)`, points: { show: values.length <= 2, size: 7, fill: colorOf('accent') } },
      { stroke: colorOf('danger'), width: 1.5, dash: [6, 5], points: { show: false }, show: limit <= top },
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
  };
};

export const Plot = (props: PlotProps) => {
  const { days, values, limit } = props;
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();

  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const plot = new UPlot(optionsOf(props, element.clientWidth), [[...days], [...values], days.map(() => limit ?? null)], element);
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // The functions only word what the rest says.
  }, [days, values, limit, theme]);

  return <div ref={place} aria-hidden className="min-w-0" style={{ height }} />;
};
