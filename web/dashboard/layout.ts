// Where the items of a dashboard are on its grid. Nothing overlaps, and nothing hangs in the air: items rise until they meet another one.
import { gridColumns } from '@rowhouse/contract/dashboard.ts';

export interface GridPlace {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Placed extends GridPlace {
  id: string;
}

/** Smaller ones cannot be read. */
const least = { w: 2, h: 2 };
const highest = 30;

export const readingOrder = <T extends GridPlace>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => one.y - other.y || one.x - other.x);

const isAcross = (one: GridPlace, other: GridPlace): boolean => one.x < other.x + other.w && other.x < one.x + one.w;

/** In this order each one rises to those before it. */
const risen = <T extends Placed>(items: readonly T[]): T[] => {
  const done: T[] = [];
  for (const item of items) {
    const above = done.filter((other) => isAcross(item, other));
    done.push({ ...item, y: Math.max(0, ...above.map(({ y, h }) => y + h)) });
  }
  return done;
};

const within = ({ x, y, w, h }: GridPlace): GridPlace => {
  const width = Math.min(gridColumns, Math.max(least.w, Math.round(w)));
  return {
    w: width,
    h: Math.min(highest, Math.max(least.h, Math.round(h))),
    x: Math.min(gridColumns - width, Math.max(0, Math.round(x))),
    y: Math.max(0, Math.round(y)),
  };
};

/** As the server has them: what was put at the bottom, by an endless number, too. */
export const settled = <T extends Placed>(items: readonly T[]): T[] =>
  risen(readingOrder(items.map((item) => ({ ...item, ...within(item) }))));

/** One of them goes to another place; those in its way make room. */
export const movedTo = <T extends Placed>(items: readonly T[], id: string, to: { x: number; y: number }): T[] => {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return [...items];
  const moved = { ...item, ...within({ ...item, ...to }) };
  const goesDown = moved.y > item.y;
  // It takes the place of another one when it covers half of it, whichever way it comes.
  const isBefore = (other: T): boolean => {
    const middle = other.y + other.h / 2;
    return goesDown ? middle < moved.y + moved.h : middle <= moved.y;
  };
  const others = readingOrder(items.filter((one) => one.id !== id));
  return readingOrder(risen([...others.filter(isBefore), moved, ...others.filter((other) => !isBefore(other))]));
};

export const resizedTo = <T extends Placed>(items: readonly T[], id: string, size: { w: number; h: number }): T[] =>
  settled(
    items.map((item) =>
      item.id === id ? { ...item, ...within({ ...item, w: Math.min(size.w, gridColumns - item.x), h: size.h }) } : item,
    ),
  );

export type Direction = 'left' | 'right' | 'up' | 'down';

/** By a key: sideways by a column, up and down past the next one. */
export const stepped = <T extends Placed>(items: readonly T[], id: string, direction: Direction): T[] => {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return [...items];
  if (direction === 'left' || direction === 'right')
    return movedTo(items, id, { x: item.x + (direction === 'left' ? -1 : 1), y: item.y });
  const others = items.filter((other) => other.id !== id && isAcross(item, other));
  if (direction === 'up') {
    const above = others.filter(({ y }) => y < item.y).toSorted((one, other) => other.y - one.y)[0];
    return above === undefined ? [...items] : movedTo(items, id, { x: item.x, y: above.y });
  }
  const below = others.filter(({ y }) => y >= item.y + item.h).toSorted((one, other) => one.y - other.y)[0];
  return below === undefined ? [...items] : movedTo(items, id, { x: item.x, y: below.y + below.h - 1 });
};

/** Beside the last one if there is room, else below all. */
export const freePlace = (items: readonly GridPlace[], { w, h }: { w: number; h: number }): GridPlace => {
  const bottom = Math.max(0, ...items.map((item) => item.y + item.h));
  for (let y = 0; y < bottom; y += 1)
    for (let x = 0; x + w <= gridColumns; x += 1) {
      const place = { x, y, w, h };
      const isFree = items.every(
        (item) => !isAcross(place, item) || place.y >= item.y + item.h || item.y >= place.y + place.h,
      );
      // Only where something is above it or it is at the top: else it would rise.
      if (isFree && (y === 0 || items.some((item) => isAcross(place, item) && item.y + item.h === y))) return place;
    }
  return { x: 0, y: bottom, w, h };
};

export const samePlaces = (one: readonly Placed[], other: readonly Placed[]): boolean =>
  one.length === other.length &&
  one.every(({ id, x, y, w, h }) =>
    other.some((item) => item.id === id && item.x === x && item.y === y && item.w === w && item.h === h),
  );
