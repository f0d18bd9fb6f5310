// Bars along time: a canvas that stays where it is while what is scrolled passes by below it. Ten thousand bars cost what is in sight of them.
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { dayLength } from '@rowhouse/contract/working-days.ts';
import { useTheme } from '../../ui/use-theme.ts';
import { BarList } from './bar-list.tsx';
import { type Bar, coveredBy, showsDays } from './bars.ts';
import { headerHeight } from './draw-arrows.ts';
import { drawScene, type Scene } from './draw.ts';
import { barTheme } from './draw-parts.ts';
import { type Hit, hitAt, stepAt } from './hit.ts';
import { type Lane, rowHeight } from './rows.ts';
import type { Span } from './schedule.ts';
import { type BarGestures, useBarDrag } from './use-bar-drag.ts';
import type { TimePort } from './use-time-port.ts';

interface BarCanvasProps {
  label: string;
  scene: Omit<Scene, 'theme'>;
  time: TimePort;
  side: number;
  gestures: BarGestures;
  /** Dropped from the list of those without a date. Absent: nobody may. */
  onSchedule: ((recordId: string, span: Span, lane: Lane | undefined) => void) | undefined;
}

export const BarCanvas = ({ label, scene: given, time, side, gestures, onSchedule }: BarCanvasProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const themeName = useTheme();
  // oxlint-disable-next-line no-unused-expressions
  const theme = useMemo(() => ({ name: themeName, ...barTheme() }), [themeName]);
  const scene = { ...given, theme };
  const msPerPx = dayLength / time.pxPerDay;
  const { scroller, range } = time;
  const latest = useRef({ scene, msPerPx, side, size });
  latest.current = { scene, msPerPx, side, size };
  const frame = useRef<number>(undefined);
  const [sight, setSight] = useState({ from: 0, until: 0, first: 0, last: 0 });
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);

  const hit = useCallback((x: number, y: number, grip: number): Hit | undefined => {
    const { scene: now, msPerPx: scale, side: left } = latest.current;
    const top = scroller.current?.scrollTop ?? 0;
    return hitAt({ rows: now.rows, side: left, top, msPerPx: scale, xOf: time.xOf }, x, y, grip);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const draw = useCallback((): void => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      const [surface, area] = [canvas.current, scroller.current];
      const pen = surface?.getContext('2d', { alpha: false });
      if (surface == null || area === null || pen == null) return;
      const { scene: now, msPerPx: scale, side: left, size: shown } = latest.current;
      const ratio = window.devicePixelRatio;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawScene(pen, now, {
        origin: time.momentAt(left),
        msPerPx: scale,
        top: area.scrollTop,
        width: shown.width,
        height: shown.height,
        side: left,
        ...drag.shown.current,
      });
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const drag = useBarDrag(time, gestures, hit, draw);

  const look = (): void => {
    const area = scroller.current;
    if (area === null) return;
    const next = {
      from: time.momentAt(side),
      until: time.momentAt(area.clientWidth),
      first: Math.max(0, Math.floor(area.scrollTop / rowHeight)),
      last: Math.floor((area.scrollTop + area.clientHeight - headerHeight) / rowHeight),
    };
    setSight((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  };
  const onScroll = (): void => {
    draw();
    clearTimeout(rest.current);
    // Buttons for what is in sight are made when it rests: none is pressed meanwhile.
    rest.current = setTimeout(() => {
      time.onScroll();
      look();
    }, 120);
  };

  useEffect(() => {
    const area = scroller.current as HTMLDivElement;
    const observer = new ResizeObserver(() => setSize({ width: area.clientWidth, height: area.clientHeight }));
    observer.observe(area);
    return () => observer.disconnect();
  }, [scroller]);
  useEffect(() => {
    const surface = canvas.current;
    if (surface === null) return;
    const ratio = window.devicePixelRatio;
    surface.width = Math.max(1, Math.round(size.width * ratio));
    surface.height = Math.max(1, Math.round(size.height * ratio));
  }, [size]);
  useEffect(() => {
    draw();
    look();
  });
  // Letters that came later have other widths.
  useEffect(() => void document.fonts?.ready.then(draw), [draw]);

  const placeOf = (event: DragEvent): { moment: number; lane: Lane | undefined } => {
    const box = (scroller.current as HTMLDivElement).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { moment: time.momentAt(x), lane: hit(x, y, 0)?.lane };
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    const recordId = event.dataTransfer.getData('text/plain');
    const { moment, lane } = placeOf(event);
    const step = stepAt(time.pxPerDay, showsDays(gestures.fields.start));
    const from = Math.floor(moment / step) * step;
    if (recordId.startsWith('rec')) onSchedule?.(recordId, coveredBy(gestures.fields, from, from), lane);
  };
  const height = headerHeight + scene.rows.length * rowHeight + 2 * rowHeight;
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scroll
      onScroll={onScroll}
      onDragOver={(event) => onSchedule !== undefined && event.preventDefault()}
      onDrop={onDrop}
      className="relative min-h-0 min-w-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain border-t border-line bg-surface select-none print:overflow-hidden"
      {...drag.handlers}
    >
      <div
        className="relative"
        style={{ width: side + (range.end - range.start) / msPerPx, height, minHeight: size.height }}
      >
        <canvas
          ref={canvas}
          aria-hidden
          className="sticky top-0 left-0 block"
          style={{ width: size.width, height: size.height }}
        />
        <BarList
          rows={scene.rows}
          fields={gestures.fields}
          side={side}
          range={range}
          msPerPx={msPerPx}
          sight={sight}
          critical={scene.critical}
          mayMove={gestures.mayMove}
          mayStretch={gestures.mayStretch}
          onOpen={gestures.onOpen}
          onTo={(bar: Bar, to: Span) => gestures.onPut(gestures.movedWith(bar, to), bar.id, undefined)}
        />
      </div>
    </div>
  );
};
