// Which part of time is on the screen. Time has no ends: there is as much of it to scroll through as the bars need, and more on each side when one gets there.
import { dayLength } from '@rowhouse/contract/working-days.ts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createStored } from '../../app/stored.ts';
import { leastScale, limitedScale, mostScale } from './scale.ts';
import type { Span } from './schedule.ts';

const storedScale = createStored<number>('rowhouse.timeline', 16, (value) =>
  typeof value === 'number' && value >= leastScale && value <= mostScale ? value : undefined,
);

/** Browsers draw nothing wider. */
const widest = 4_000_000;
const furthest = 8e15;

const rangeAround = (extent: Span | undefined, moment: number, msPerPx: number, width: number): Span => {
  const pad = Math.max(width, 400) * 1.5 * msPerPx;
  const half = (widest / 2) * msPerPx;
  const from = Math.min(extent?.start ?? moment, moment) - pad;
  const until = Math.max(extent?.end ?? moment, moment) + pad;
  return {
    start: Math.max(from, moment - half, -furthest),
    end: Math.min(until, moment + half, furthest),
  };
};

export interface TimePort {
  scroller: RefObject<HTMLDivElement | null>;
  pxPerDay: number;
  range: Span;
  /** The moment at so many pixels from the left edge. */
  momentAt: (x: number) => number;
  xOf: (moment: number) => number;
  zoomTo: (pxPerDay: number, x?: number) => void;
  goTo: (moment: number) => void;
  onScroll: () => void;
}

export const useTimePort = (extent: Span | undefined, isReady: boolean, now: number, side: number): TimePort => {
  const scroller = useRef<HTMLDivElement>(null);
  const [pxPerDay, setScale] = useState(storedScale.read);
  const msPerPx = dayLength / pxPerDay;
  const [range, setRange] = useState(() => rangeAround(undefined, now, msPerPx, 1_000));
  /** Which moment is to be at which place once it is drawn. */
  const anchor = useRef<{ moment: number; x: number } | undefined>(undefined);
  const isPlaced = useRef(false);
  const latest = useRef({ range, msPerPx, side });
  latest.current = { range, msPerPx, side };

  const momentAt = (x: number): number => {
    const { range: shown, msPerPx: scale, side: left } = latest.current;
    return shown.start + ((scroller.current?.scrollLeft ?? 0) + x - left) * scale;
  };
  const xOf = (moment: number): number => {
    const { range: shown, msPerPx: scale, side: left } = latest.current;
    return left + (moment - shown.start) / scale - (scroller.current?.scrollLeft ?? 0);
  };
  const width = (): number => scroller.current?.clientWidth ?? 1_000;
  const middle = (): number => side + (width() - side) / 2;
  /** Where one is led to, and what stays where it is when the scale changes. */
  const heart = (): number => side + (width() - side) * 0.3;

  useLayoutEffect(() => {
    const { current: wanted } = anchor;
    if (wanted === undefined || scroller.current === null) return;
    anchor.current = undefined;
    scroller.current.scrollLeft = side + (wanted.moment - range.start) / msPerPx - wanted.x;
  }, [range, msPerPx, side]);

  const goTo = (moment: number, x = heart()): void => {
    anchor.current = { moment, x };
    setRange(rangeAround(extent, moment, msPerPx, width()));
  };
  const zoomTo = (wanted: number, x = heart()): void => {
    const scale = limitedScale(wanted);
    const moment = momentAt(x);
    anchor.current = { moment, x };
    storedScale.write(scale);
    setScale(scale);
    setRange(rangeAround(extent, moment, dayLength / scale, width()));
  };
  /** More of time, where one has scrolled to its end. */
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null || anchor.current !== undefined) return;
    const isNearEnd = element.scrollLeft < 100 || element.scrollLeft > element.scrollWidth - element.clientWidth - 100;
    if (!isNearEnd) return;
    const x = middle();
    const moment = momentAt(x);
    const next = rangeAround(extent, moment, msPerPx, width());
    if (Math.abs(next.start - range.start) < msPerPx && Math.abs(next.end - range.end) < msPerPx) return;
    anchor.current = { moment, x };
    setRange(next);
  };

  const [from, until] = [extent?.start, extent?.end];
  useEffect(() => {
    if (!isReady) return;
    if (!isPlaced.current) {
      isPlaced.current = true;
      const isNow = from === undefined || until === undefined || (from <= now && now <= until);
      goTo(isNow ? now : from);
      return;
    }
    // Bars have come that reach beyond what can be scrolled to.
    if ((from ?? 0) < range.start || (until ?? 0) > range.end) {
      anchor.current = { moment: momentAt(middle()), x: middle() };
      setRange(rangeAround(extent, momentAt(middle()), msPerPx, width()));
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isReady, from, until]);

  return { scroller, pxPerDay, range, momentAt, xOf, zoomTo, goTo, onScroll };
};
