// A drawing on the screen. It is a picture: what shows it says the same in a table (tableOf) and in words (summaryOf).
import type { EChartsType } from 'echarts/core';
import { useEffect, useRef } from 'react';
import { useTheme } from '../ui/use-theme.ts';
import { chartLook } from './chart-look.ts';
import { type Axes, optionOf } from './chart-option.ts';
import type { Drawing } from './drawing.ts';
import { startChart } from './library.ts';

/** What was pressed: of a scatter chart the point, else the group and series. */
interface Picked {
  group: number;
  series: number;
}

interface ChartPictureProps {
  drawing: Drawing;
  axes: Axes;
  color: string | undefined;
  onPick: ((picked: Picked) => void) | undefined;
}

interface Pressed {
  dataIndex?: number;
  seriesIndex?: number;
  data?: unknown;
}

const pickedOf = ({ kind }: Drawing, { dataIndex = 0, seriesIndex = 0, data }: Pressed): Picked => {
  if (kind === 'scatter') return { group: (data as { place: number }).place, series: seriesIndex };
  const [x = 0, y = 0] = (data as { value?: number[] } | undefined)?.value ?? [];
  return kind === 'heat' ? { group: x, series: y } : { group: dataIndex, series: seriesIndex };
};

/** With one series a press beside a bar or point that is hard to hit means its group. */
const groupAt = (chart: EChartsType, { kind, series, groups }: Drawing, x: number, y: number): number | undefined => {
  const hasBands = kind === 'bar' || kind === 'row' || kind === 'line' || kind === 'area';
  if (!hasBands || series.length !== 1 || !chart.containPixel('grid', [x, y])) return undefined;
  const at = chart.convertFromPixel('grid', [x, y])[kind === 'row' ? 1 : 0];
  return at === undefined || groups[at] === undefined ? undefined : at;
};

export const ChartPicture = ({ drawing, axes, color, onPick }: ChartPictureProps) => {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const theme = useTheme();
  const pick = useRef(onPick);
  pick.current = onPick;
  const shown = useRef<Drawing>(drawing);
  shown.current = drawing;

  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const made = startChart(element);
    chart.current = made;
    made.on('click', (pressed) => pick.current?.(pickedOf(shown.current, pressed as Pressed)));
    made.getZr().on('click', ({ target, offsetX, offsetY }) => {
      if (target !== undefined && target !== null) return;
      const group = groupAt(made, shown.current, offsetX, offsetY);
      if (group !== undefined) pick.current?.({ group, series: 0 });
    });
    return () => {
      chart.current = undefined;
      made.dispose();
    };
  }, []);

  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const draw = (): void => {
      const look = chartLook(theme, element.clientWidth, color);
      chart.current?.setOption(
        { ...optionOf(drawing, look, axes), ...(onPick === undefined ? {} : { cursor: 'pointer' }) },
        { replaceMerge: ['series', 'xAxis', 'yAxis', 'legend', 'grid', 'visualMap'] },
      );
    };
    draw();
    let width = element.clientWidth;
    let height = element.clientHeight;
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth === width && element.clientHeight === height) return;
      width = element.clientWidth;
      height = element.clientHeight;
      chart.current?.resize();
      draw();
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [drawing, axes, color, theme, onPick === undefined]);

  return <div ref={place} aria-hidden className="h-full min-h-0 w-full min-w-0" />;
};
