// The bars in sight as buttons, for the keyboard and for screen readers: what is drawn on the canvas nobody could reach otherwise.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Bar, showsDays } from './bars.ts';
import type { BarFields } from './bar-fields.ts';
import { shifted } from './dependencies.ts';
import { headerHeight } from './draw-arrows.ts';
import { stepAt } from './hit.ts';
import { firstBehind, type Row, rowHeight } from './rows.ts';
import { spanName } from './scale.ts';
import type { Span } from './schedule.ts';

interface BarListProps {
  rows: readonly Row[];
  fields: BarFields;
  side: number;
  range: Span;
  msPerPx: number;
  /** What of it is in sight. */
  sight: { from: number; until: number; first: number; last: number };
  critical: ReadonlySet<string>;
  mayMove: boolean;
  mayStretch: boolean;
  onOpen: (recordId: string) => void;
  onTo: (bar: Bar, to: Span) => void;
}

/** More than one goes through by keys at a time; the arrow keys lead beyond. */
const most = 200;

export const BarList = ({
  rows,
  fields,
  side,
  range,
  msPerPx,
  sight,
  critical,
  mayMove,
  mayStretch,
  onOpen,
  onTo,
}: BarListProps) => {
  const [wanted, setWanted] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(
    () => rows.flatMap(({ bars, lane }, row) => bars.map((bar) => ({ bar, row, key: `${lane?.key ?? ''} ${bar.id}` }))),
    [rows],
  );
  const shown = useMemo(() => {
    const found: typeof all = [];
    for (let row = sight.first; row <= sight.last && found.length < most; row += 1) {
      const { bars = [], lane } = rows[row] ?? {};
      for (let at = firstBehind(bars, sight.from); at < bars.length && found.length < most; at += 1) {
        const bar = bars[at] as Bar;
        if (bar.start > sight.until) break;
        found.push({ bar, row, key: `${lane?.key ?? ''} ${bar.id}` });
      }
    }
    const extra = wanted === undefined ? undefined : all.find(({ key }) => key === wanted);
    if (extra !== undefined && !found.some(({ key }) => key === wanted)) found.push(extra);
    return found.toSorted((one, other) => one.row - other.row || one.bar.start - other.bar.start);
  }, [rows, all, sight, wanted]);
  useEffect(() => {
    if (wanted === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted)}"]`)?.focus();
  }, [wanted]);

  const onKeyDown = (event: KeyboardEvent, { bar, key }: (typeof all)[number]): void => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (!event.altKey) {
      const next = all[all.findIndex((one) => one.key === key) + step];
      if (next !== undefined) setWanted(next.key);
      return;
    }
    if (!mayMove || event.key === 'ArrowUp' || event.key === 'ArrowDown') return;
    const by = step * stepAt(86_400_000 / msPerPx, showsDays(fields.start));
    if (!event.shiftKey) {
      let to = shifted(fields.works, bar, bar.start + by);
      // Backwards over free days to the working day before them.
      if (step < 0 && to.start >= bar.start) to = shifted(fields.works, bar, fields.works.before(bar.start, -by));
      return onTo(bar, to);
    }
    if (mayStretch && !bar.isMilestone && bar.end + by > bar.start) onTo(bar, { start: bar.start, end: bar.end + by });
  };

  return (
    <ul ref={list} aria-label="Bars" className="contents">
      {shown.map((item) => {
        const { bar, row, key } = item;
        // As far as can be scrolled to.
        const [from, until] = [Math.max(bar.start, range.start), Math.min(bar.end, range.end)];
        return (
          <li key={key} className="contents">
            <button
              type="button"
              data-key={key}
              data-record={bar.id}
              aria-keyshortcuts={mayMove ? 'Alt+ArrowLeft Alt+ArrowRight' : undefined}
              onClick={() => onOpen(bar.id)}
              onKeyDown={(event) => onKeyDown(event, item)}
              className="pointer-events-none absolute rounded-md text-[0px] outline-offset-1 focus-visible:outline-2 focus-visible:outline-accent"
              style={{
                left: side + (from - range.start) / msPerPx,
                top: headerHeight + row * rowHeight + 4,
                width: Math.max(8, (until - from) / msPerPx),
                height: rowHeight - 8,
                scrollMargin: `${headerHeight + 40}px 40px 40px ${side + 40}px`,
              }}
            >
              {`${bar.name}, ${bar.isMilestone ? 'milestone, ' : ''}${spanName(bar, showsDays(fields.start))}${critical.has(bar.id) ? ', critical' : ''}`}
            </button>
          </li>
        );
      })}
    </ul>
  );
};
