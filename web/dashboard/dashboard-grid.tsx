// The items of a dashboard on their grid; one below the other where there is no room for a grid.
import { gridColumns } from '@rowhouse/contract/dashboard.ts';
import { GripVertical } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { announce } from '../ui/announce.ts';
import { classNames } from '../ui/class-names.ts';
import { type Direction, type Placed, readingOrder, resizedTo, samePlaces, settled, stepped } from './layout.ts';
import { useGridDrag } from './use-grid-drag.ts';

const gap = 16;
const rowHeight = 32;
const row = rowHeight + gap;
/** Narrower, charts beside each other cannot be read. */
const narrowest = 640;
/** Of a chart on a phone. */
const leastHeight = 3;

interface DashboardGridProps {
  items: readonly Placed[];
  nameOf: (id: string) => string;
  /** As high as what it holds, where items stand below each other. */
  isFluid: (id: string) => boolean;
  /** Absent: nobody moves anything. */
  onPlace: ((items: readonly Placed[]) => void) | undefined;
  /** `grip`: what it is dragged by. */
  children: (id: string, grip: ReactNode) => ReactNode;
}

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const stretches: Record<Direction, { w: number; h: number }> = {
  left: { w: -1, h: 0 },
  right: { w: 1, h: 0 },
  up: { w: 0, h: -1 },
  down: { w: 0, h: 1 },
};

const useWidth = () => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth));
    watcher.observe(element);
    setWidth(element.clientWidth);
    return () => watcher.disconnect();
  }, []);
  return { place, width };
};

export const DashboardGrid = ({ items: given, nameOf, isFluid, onPlace, children }: DashboardGridProps) => {
  const { place, width } = useWidth();
  const items = settled(given);
  const column = (width + gap) / gridColumns;
  const { drag, handle } = useGridDrag({ items, column, row, onDrop: (next) => save(next) });
  const isNarrow = width < narrowest;
  const shown = drag?.items ?? items;

  const save = (next: readonly Placed[]): void => {
    if (!samePlaces(next, items)) onPlace?.(next);
  };
  const onKey = (event: KeyboardEvent, id: string): void => {
    const direction = directions[event.key];
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const item = items.find((one) => one.id === id);
    if (item === undefined) return;
    const by = stretches[direction];
    const next = event.shiftKey
      ? resizedTo(items, id, { w: item.w + by.w, h: item.h + by.h })
      : stepped(items, id, direction);
    if (samePlaces(next, items)) return announce(`${nameOf(id)} cannot go further`);
    save(next);
    const after = next.find((one) => one.id === id) ?? item;
    announce(
      event.shiftKey
        ? `${nameOf(id)}: ${after.w} columns wide, ${after.h} rows high`
        : `${nameOf(id)}: column ${after.x + 1}, row ${after.y + 1}`,
    );
  };
  const styleOf = ({ x, y, w, h }: Placed): CSSProperties => ({
    left: x * column,
    top: y * row,
    width: w * column - gap,
    height: h * row - gap,
  });
  const bottom = Math.max(0, ...shown.map(({ y, h }) => y + h));
  const mayMove = onPlace !== undefined && !isNarrow;

  if (width === 0) return <div ref={place} className="w-full" />;
  if (isNarrow)
    return (
      <div ref={place} className="flex w-full flex-col gap-4">
        {readingOrder(items).map(({ id, h }) => (
          <div
            key={id}
            data-item={id}
            className="group/item relative"
            style={isFluid(id) ? {} : { height: Math.max(leastHeight, h) * row - gap }}
          >
            {children(id, null)}
          </div>
        ))}
      </div>
    );
  return (
    <div ref={place} className="relative w-full" style={{ height: bottom * row + (drag === undefined ? 0 : row * 4) }}>
      {drag !== undefined && (
        <div
          aria-hidden
          className="absolute rounded-2xl bg-accent-soft outline-2 outline-accent/40 outline-dashed"
          style={styleOf(shown.find(({ id }) => id === drag.id) as Placed)}
        />
      )}
      {readingOrder(items).map((item) => {
        const { id } = item;
        const isDragged = drag?.id === id;
        const now = isDragged ? item : (shown.find((one) => one.id === id) ?? item);
        const style = styleOf(now);
        const grip = mayMove && (
          <button
            type="button"
            aria-label={`Move ${nameOf(id)}`}
            aria-description="Arrow keys move it, with Shift they change its size."
            title="Drag to move; arrow keys move, with Shift they resize"
            className="absolute top-[18px] -left-px cursor-grab touch-none rounded-md p-0.5 text-ink-faint opacity-0 group-hover/item:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 active:cursor-grabbing [@media(hover:none)]:opacity-100"
            onKeyDown={(event) => onKey(event, id)}
            {...handle(id, 'move')}
          >
            <GripVertical size={16} aria-hidden />
          </button>
        );
        return (
          <div
            key={id}
            data-item={id}
            className={classNames(
              'group/item absolute',
              isDragged
                ? 'z-30 opacity-90 select-none'
                : drag !== undefined && 'transition-[left,top,width,height] duration-150',
            )}
            style={
              !isDragged
                ? style
                : drag.kind === 'move'
                  ? { ...style, transform: `translate(${drag.dx}px, ${drag.dy}px)` }
                  : {
                      ...style,
                      width: Math.max(column * 2 - gap, (style.width as number) + drag.dx),
                      height: Math.max(row * 2 - gap, (style.height as number) + drag.dy),
                    }
            }
          >
            {children(id, grip)}
            {mayMove && (
              <div
                aria-hidden
                data-stretch={id}
                className="absolute right-0 bottom-0 z-10 size-5 cursor-nwse-resize touch-none rounded-br-2xl opacity-0 group-hover/item:opacity-100 [@media(hover:none)]:opacity-100"
                {...handle(id, 'resize')}
              >
                <span className="absolute right-1.5 bottom-1.5 size-2 rounded-br-sm border-r-2 border-b-2 border-ink-faint" />
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
};
