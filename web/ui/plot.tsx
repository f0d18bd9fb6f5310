// A line over days, drawn by uPlot. It is a picture: anyone who uses it says the same in words or in a table.
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from './use-theme.ts';

interface PlotProps {
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

const colorOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The highest value that is shown: a little air above the line, and never a line on the ground of nothing. */
const topOf = (values: readonly number[], limit: number): number => {
  const highest = Math.max(...values);
  if (highest >= limit / 2) return Math.max(highest, limit) * 1.05;
  return Math.max(4, highest * 1.25);
};

const fontOf = (): string => `12px ${getComputedStyle(document.body).fontFamily}`;

const day = 86_400;
/** A week at least: a line of two days would say more than it knows. */
const daysShown = 7;

const optionsOf = (
  { days, values, limit = Infinity, text, dayText, onHover }: PlotProps,
  width: number,
): UPlot.Options => {
  const last = days.at(-1) ?? 0;
  const top = topOf(values, limit);
  const axis = {
    stroke: colorOf('ink-faint'),
    font: fontOf(),
    grid: { stroke: colorOf('line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    // The last day stands in the middle below its point: "19 Nov" needs half of its width.
    padding: [10, 26, 0, 0],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: {
      x: { time: true, range: [Math.min(days[0] ?? last, last - (daysShown - 1) * day), last] },
      y: { range: [0, top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        // Clear of the lowest value beside it.
        gap: 12,
        size: 38,
        values: (_plot, splits) => splits.map(dayText),
        incrs: [1, 2, 7, 14, 30, 61, 91].map((count) => count * day),
        space: 70,
      },
      {
        ...axis,
        size: (_plot, labels) => 20 + 7 * Math.max(1, ...(labels ?? []).map((label) => label.length)),
        incrs: [
          1,
          2,
          5,
          10,
          20,
          50,
          ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power)),
        ],
        values: (_plot, splits) => splits.map(text),
      },
    ],
    series: [
      {},
      {
        stroke: colorOf('accent'),
        width: 2,
        fill: `color-mix(in srgb, ${colorOf('accent')} 14%, transparent)`,
        points: { show: values.length <= 2, size: 7, fill: colorOf('accent') },
      },
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
    const plot = new UPlot(
      optionsOf(props, element.clientWidth),
      [[...days], [...values], days.map(() => limit ?? null)],
      element,
    );
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
