// What stands in the grid from top to bottom, as the server has it: headers of groups, and runs of records by their
// place in the order of the view. Records may be held elsewhere: one stays where it was while somebody works on it, new ones stand
// where they were made until the server has them.
import type { GroupPoint } from '@rowhouse/contract/record.ts';

interface HeaderItem {
  kind: 'header';
  id: string;
  depth: number;
  value: unknown;
}

interface RunItem {
  kind: 'run';
  place: number;
  count: number;
}

interface HeldItem {
  kind: 'held';
  recordId: string;
}

export type RowItem = HeaderItem | RunItem | HeldItem;

/** The place of a record, or the id of one that is held itself. */
export type Neighbour = number | string;

/** Where a record is held: between these neighbours, under these headers. */
export interface HeldPosition {
  recordId: string;
  /** Where the server has it, if that is known. */
  place: number | undefined;
  /** The records that stood above and below it, as far as they are known. */
  above: Neighbour | undefined;
  below: Neighbour | undefined;
  /** The headers above it, outermost first. */
  around: readonly Omit<HeaderItem, 'kind'>[];
  /** How many records stood above it, for when neither neighbour is known. */
  index: number;
}

export const itemsOf = (groups: readonly GroupPoint[] | undefined, count: number): RowItem[] => {
  if (groups === undefined) return [{ kind: 'run', place: 0, count }];
  let place = 0;
  return groups.map((point): RowItem => {
    if (point.type === 0) return { kind: 'header', id: point.id, depth: point.depth, value: point.value };
    const run: RowItem = { kind: 'run', place, count: point.count };
    place += point.count;
    return run;
  });
};

const contains = (item: RowItem | undefined, place: number | undefined): item is RunItem =>
  item?.kind === 'run' && place !== undefined && place >= item.place && place < item.place + item.count;

const holds = (item: RowItem, neighbour: Neighbour | undefined): boolean =>
  typeof neighbour === 'string' ? item.kind === 'held' && item.recordId === neighbour : contains(item, neighbour);

const run = (place: number, count: number): RunItem[] => (count > 0 ? [{ kind: 'run', place, count }] : []);

const without = (items: readonly RowItem[], place: number): RowItem[] =>
  items.flatMap((item): RowItem[] =>
    contains(item, place)
      ? [...run(item.place, place - item.place), ...run(place + 1, item.place + item.count - place - 1)]
      : [item],
  );

/** Headers below which nothing is left. */
const withoutEmpty = (items: readonly RowItem[]): RowItem[] => {
  const kept: RowItem[] = [];
  let filledTo = -1;
  for (const item of items.toReversed()) {
    if (item.kind !== 'header') filledTo = Number.POSITIVE_INFINITY;
    else if (item.depth < filledTo) filledTo = item.depth;
    else continue;
    kept.push(item);
  }
  return kept.toReversed();
};

/** From and to, in items, of what stands below a header. */
const below = (items: readonly RowItem[], header: number): [from: number, to: number] => {
  const { depth } = items[header] as HeaderItem;
  const next = items.findIndex((item, index) => index > header && item.kind === 'header' && item.depth <= depth);
  return [header + 1, next < 0 ? items.length : next];
};

/** Splits a run so that something can stand between its records. */
const inserted = (items: readonly RowItem[], at: number, place: number, added: readonly RowItem[]): RowItem[] => {
  const item = items[at] as RunItem;
  return [
    ...items.slice(0, at),
    ...run(item.place, place - item.place),
    ...added,
    ...run(place, item.place + item.count - place),
    ...items.slice(at + 1),
  ];
};

const insertBeside = (items: readonly RowItem[], [from, to]: [number, number], held: HeldPosition): RowItem[] => {
  const added: RowItem[] = [{ kind: 'held', recordId: held.recordId }];
  const within = (neighbour: Neighbour | undefined): number =>
    items.findIndex((item, index) => index >= from && index < to && holds(item, neighbour));
  const above = within(held.above);
  if (above >= 0)
    return typeof held.above === 'number'
      ? inserted(items, above, held.above + 1, added)
      : items.toSpliced(above + 1, 0, ...added);
  const under = within(held.below);
  if (under >= 0)
    return typeof held.below === 'number'
      ? inserted(items, under, held.below, added)
      : items.toSpliced(under, 0, ...added);
  let left = held.around.length > 0 ? Number.POSITIVE_INFINITY : held.index;
  for (let index = from; index < to; index += 1) {
    const item = items[index] as RunItem | HeldItem;
    const count = item.kind === 'run' ? item.count : 1;
    if (left <= count)
      return item.kind === 'run'
        ? inserted(items, index, item.place + left, added)
        : items.toSpliced(index + left, 0, ...added);
    left -= count;
  }
  // The group stood first before what was above it, or there is nothing else in it.
  const at = held.above === undefined && held.below !== undefined ? from : to;
  return items.toSpliced(at, 0, ...added);
};

/** Its group is gone from the server's list, so it gets its header back, between the groups that are there. */
const insertGroup = (
  items: readonly RowItem[],
  [from, to]: [number, number],
  held: HeldPosition,
  missing: HeldPosition['around'],
): RowItem[] => {
  const depth = missing[0]?.depth ?? 0;
  const borders = [
    from,
    ...items.flatMap((item, index) =>
      index > from && index < to && item.kind === 'header' && item.depth === depth ? [index] : [],
    ),
    to,
  ];
  const above = items.findIndex((item, index) => index >= from && index < to && holds(item, held.above));
  const under = items.findIndex((item, index) => index >= from && index < to && holds(item, held.below));
  const at =
    above >= 0
      ? borders.find((border) => border > above)
      : under >= 0
        ? borders.findLast((border) => border <= under)
        : to;
  return items.toSpliced(at ?? to, 0, ...missing.map((header): RowItem => ({ kind: 'header', ...header })), {
    kind: 'held',
    recordId: held.recordId,
  });
};

/** The same with one record where it is held instead of where the server has it. */
export const withHeld = (given: readonly RowItem[], held: HeldPosition): RowItem[] => {
  const items = held.place === undefined ? given : without(given, held.place);
  let header = -1;
  let depth = held.around.length - 1;
  for (; depth >= 0 && header < 0; depth -= 1)
    header = items.findIndex((item) => item.kind === 'header' && item.id === held.around[depth]?.id);
  const region: [number, number] = header < 0 ? [0, items.length] : below(items, header);
  const missing = held.around.slice(header < 0 ? 0 : (items[header] as HeaderItem).depth + 1);
  return withoutEmpty(
    missing.length === 0 ? insertBeside(items, region, held) : insertGroup(items, region, held, missing),
  );
};
