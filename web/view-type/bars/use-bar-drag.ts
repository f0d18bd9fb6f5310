// Bars are moved, stretched and made by mouse, by a finger that stays, and dropped from the list of those without a date.
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { BarFields } from './bar-fields.ts';
import { type Bar, coveredBy, showsDays } from './bars.ts';
import type { Port } from './draw.ts';
import { shifted } from './dependencies.ts';
import { type Hit, stepAt } from './hit.ts';
import type { Lane } from './rows.ts';
import { spanName } from './scale.ts';
import type { Span } from './schedule.ts';
import type { TimePort } from './use-time-port.ts';

export interface BarGestures {
  fields: BarFields;
  mayMove: boolean;
  mayStretch: boolean;
  mayChangeLane: boolean;
  mayCreate: boolean;
  /** The bar and everything that follows it. */
  movedWith: (bar: Bar, to: Span) => ReadonlyMap<string, Span>;
  onPut: (moved: ReadonlyMap<string, Span>, id: string, lane: Lane | undefined) => void;
  onCreate: (span: Span, lane: Lane | undefined) => void;
  onOpen: (recordId: string) => void;
}

type Preview = Pick<Port, 'preview' | 'fresh' | 'hovered' | 'targetLane' | 'hint'>;

interface Pressed {
  hit: Hit;
  x: number;
  y: number;
  /** The moment that was pressed. */
  at: number;
  isTouch: boolean;
  isDragging: boolean;
  /** Nothing else may be done here: what is shown goes along. */
  isPanning?: boolean;
  moved?: ReadonlyMap<string, Span> | undefined;
  key?: string;
  lane?: Lane | undefined;
  fresh?: Span | undefined;
}

const slack = 4;
const patience = 350;
const mouseGrip = 7;
const fingerGrip = 22;
const scrollEdge = 36;

export const useBarDrag = (
  time: TimePort,
  gestures: BarGestures,
  hit: (x: number, y: number, grip: number) => Hit | undefined,
  draw: () => void,
): { shown: RefObject<Preview>; handlers: object; isDragging: () => boolean } => {
  const shown = useRef<Preview>({});
  const pressed = useRef<Pressed | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointer = useRef({ x: 0, y: 0 });
  const latest = useRef({ gestures, time });
  latest.current = { gestures, time };
  const element = (): HTMLDivElement => time.scroller.current as HTMLDivElement;

  const show = (next: Preview): void => {
    shown.current = next;
    draw();
  };
  const end = (): void => {
    clearTimeout(timer.current);
    pressed.current = undefined;
    show({});
  };
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = element().getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };

  const spanAt = (press: Pressed, bar: Bar, moment: number): Span => {
    const { fields } = latest.current.gestures;
    const step = stepAt(time.pxPerDay, showsDays(fields.start));
    const by = Math.round((moment - press.at) / step) * step;
    if (press.hit.part === 'start') return { start: Math.min(bar.start + by, bar.end - step), end: bar.end };
    if (press.hit.part === 'end') return { start: bar.start, end: Math.max(bar.end + by, bar.start + step) };
    return by === 0 ? { start: bar.start, end: bar.end } : shifted(fields.works, bar, bar.start + by);
  };

  const drag = (): void => {
    const press = pressed.current;
    if (press === undefined || !press.isDragging) return;
    const { x, y } = pointer.current;
    const { gestures: now } = latest.current;
    const moment = time.momentAt(x);
    const byDay = showsDays(now.fields.start);
    const { bar } = press.hit;
    if (bar === undefined) {
      const step = stepAt(time.pxPerDay, byDay);
      const [from, until] = [Math.min(press.at, moment), Math.max(press.at, moment)];
      press.fresh = coveredBy(now.fields, Math.floor(from / step) * step, Math.ceil(until / step) * step);
      const text = spanName(press.fresh, byDay);
      return show({ fresh: { ...press.fresh, row: press.hit.row }, hint: { text, x, y } });
    }
    const to = spanAt(press, bar, moment);
    const key = `${to.start} ${to.end}`;
    // What follows is worked out once for each place.
    if (key !== press.key) press.moved = now.movedWith(bar, to);
    press.key = key;
    const under = now.mayChangeLane && press.hit.part === 'whole' ? hit(x, y, mouseGrip)?.lane : undefined;
    press.lane = under !== undefined && under.key !== press.hit.lane?.key ? under : undefined;
    const others = (press.moved?.size ?? 1) - 1;
    const text = `${spanName(to, byDay)}${others > 0 ? ` · moves ${others} more` : ''}${press.lane === undefined ? '' : ` · ${press.lane.name}`}`;
    show({ preview: press.moved, targetLane: press.lane?.key, hint: { text, x, y }, hovered: bar.id });
  };

  const begin = (): void => {
    const press = pressed.current;
    if (press === undefined || press.isDragging) return;
    const { gestures: now } = latest.current;
    const { bar, part } = press.hit;
    if (bar === undefined ? !now.mayCreate : !now.mayMove || part === 'name') {
      press.isPanning = !press.isTouch;
      return;
    }
    if ((part === 'start' || part === 'end') && !now.mayStretch) press.hit = { ...press.hit, part: 'whole' };
    press.isDragging = true;
    const scroll = (): void => {
      if (pressed.current?.isDragging !== true) return;
      const { x, y } = pointer.current;
      const area = element();
      const away = (at: number, low: number, high: number): number =>
        at < low + scrollEdge ? at - low - scrollEdge : at > high - scrollEdge ? at - high + scrollEdge : 0;
      const [dx, dy] = [away(x, 0, area.clientWidth), bar === undefined ? 0 : away(y, 46, area.clientHeight)];
      if (dx !== 0 || dy !== 0) {
        area.scrollBy(dx / 3, dy / 3);
        drag();
      }
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
    drag();
  };

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary || pressed.current !== undefined) return;
    const isTouch = event.pointerType === 'touch';
    const { x, y } = placeOf(event);
    const area = element();
    // The bars for scrolling.
    if (x > area.clientWidth || y > area.clientHeight) return;
    const found = hit(x, y, isTouch ? fingerGrip : mouseGrip);
    if (found === undefined) return;
    pointer.current = { x, y };
    pressed.current = { hit: found, x, y, at: time.momentAt(x), isTouch, isDragging: false };
    if (!isTouch) area.setPointerCapture(event.pointerId);
    // A finger that moves at once scrolls.
    else timer.current = setTimeout(begin, patience);
  };

  const onPointerMove = (event: PointerEvent): void => {
    const { x, y } = placeOf(event);
    const before = pointer.current;
    pointer.current = { x, y };
    const press = pressed.current;
    if (press?.isPanning === true) return element().scrollBy(before.x - x, before.y - y);
    if (press === undefined) {
      if (event.pointerType === 'touch') return;
      const { bar, part } = hit(x, y, mouseGrip) ?? {};
      const { mayMove, mayStretch } = latest.current.gestures;
      const isEnd = (part === 'start' || part === 'end') && mayMove && mayStretch;
      element().style.cursor = bar === undefined ? '' : isEnd ? 'ew-resize' : 'pointer';
      if (bar?.id !== shown.current.hovered) show(bar === undefined ? {} : { hovered: bar.id });
      return;
    }
    if (press.isDragging) return drag();
    if (Math.hypot(x - press.x, y - press.y) < slack) return;
    if (press.isTouch) return end();
    begin();
  };

  const onPointerUp = (): void => {
    const press = pressed.current;
    if (press === undefined) return;
    const { gestures: now } = latest.current;
    const { bar } = press.hit;
    end();
    if (press.isPanning === true) return;
    if (!press.isDragging) {
      if (bar !== undefined) now.onOpen(bar.id);
    } else if (bar === undefined) {
      if (press.fresh !== undefined) now.onCreate(press.fresh, press.hit.lane);
    } else if (press.moved !== undefined) {
      const to = press.moved.get(bar.id);
      if (press.lane !== undefined || to?.start !== bar.start || to.end !== bar.end)
        now.onPut(press.moved, bar.id, press.lane);
    }
  };

  useEffect(() => {
    const area = element();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || pressed.current?.isDragging !== true) return;
      event.stopPropagation();
      end();
    };
    let pinch: { apart: number; scale: number } | undefined;
    const apartOf = ([one, other]: TouchList): number =>
      Math.hypot((one as Touch).clientX - (other as Touch).clientX, (one as Touch).clientY - (other as Touch).clientY);
    // A finger that drags, or two that zoom, do not scroll.
    const onTouchMove = (event: TouchEvent): void => {
      const { time: now } = latest.current;
      if (event.touches.length === 2) {
        event.preventDefault();
        end();
        const [one, other] = event.touches as unknown as [Touch, Touch];
        const apart = apartOf(event.touches);
        pinch ??= { apart, scale: now.pxPerDay };
        now.zoomTo((pinch.scale * apart) / Math.max(20, pinch.apart), placeOf(one).x / 2 + placeOf(other).x / 2);
      } else if (pressed.current?.isDragging === true && event.cancelable) event.preventDefault();
    };
    const onTouchEnd = (): void => {
      pinch = undefined;
    };
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { time: now } = latest.current;
      now.zoomTo(now.pxPerDay * Math.exp(-event.deltaY / 300), placeOf(event).x);
    };
    const onMenu = (event: Event): void => {
      if (pressed.current?.isTouch === true) event.preventDefault();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    area.addEventListener('touchmove', onTouchMove, { passive: false });
    area.addEventListener('touchend', onTouchEnd);
    area.addEventListener('wheel', onWheel, { passive: false });
    area.addEventListener('contextmenu', onMenu);
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      area.removeEventListener('touchmove', onTouchMove);
      area.removeEventListener('touchend', onTouchEnd);
      area.removeEventListener('wheel', onWheel);
      area.removeEventListener('contextmenu', onMenu);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    shown,
    isDragging: () => pressed.current?.isDragging === true,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: end,
      onPointerLeave: () => pressed.current === undefined && shown.current.hovered !== undefined && show({}),
    },
  };
};
