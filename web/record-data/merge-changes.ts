// Lists that are sent as a whole (choices, conditions, what a view is sorted by) may have been changed by somebody else since
// they were read. What one person changed is applied to what the list is by now, so that nobody's change is lost.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { SortItem } from './own-query.ts';

const inOneOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
const textOf = (value: unknown): string => JSON.stringify(value, inOneOrder) ?? '';
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

interface MergeRules<T> {
  /** What makes two items the same one. */
  keyOf: (item: T) => string;
  /** Both changed the same item; mine wins unless this says otherwise. */
  join?: (before: T, mine: T, now: T) => T;
}

interface Named<T> {
  key: string;
  item: T;
}

/** Names the items of a list after those that they were before: the same ones first, and what is left in its order, as changed ones. */
const named = <T>(before: readonly T[], list: readonly T[], keyOf: (item: T) => string): Named<T>[] => {
  const left = before.map((item, index) => ({ index, key: keyOf(item) }));
  const take = (at: number): string | undefined =>
    left[at] === undefined ? undefined : `was ${left.splice(at, 1)[0]?.index}`;
  const same = list.map((item) => take(left.findIndex(({ key }) => key === keyOf(item))));
  return list.map((item, index) => ({ item, key: same[index] ?? take(0) ?? `new ${keyOf(item)}` }));
};

/** `mine` was made from `before`, and the list is `now` by now. */
export const mergeLists = <T>(
  before: readonly T[],
  mine: readonly T[],
  now: readonly T[],
  { keyOf, join = (_before, own) => own }: MergeRules<T>,
): T[] => {
  if (isSame(before, now)) return [...mine];
  const was = new Map(before.map((item, index) => [`was ${index}`, item]));
  const own = named(before, mine, keyOf);
  const ofMine = new Map(own.map(({ key, item }) => [key, item]));
  const merged = named(before, now, keyOf).flatMap(({ key, item }): Named<T>[] => {
    const [old, chosen] = [was.get(key), ofMine.get(key)];
    if (chosen === undefined) return old === undefined ? [{ key, item }] : [];
    return [
      {
        key,
        item: old === undefined || isSame(old, chosen) ? item : isSame(old, item) ? chosen : join(old, chosen, item),
      },
    ];
  });
  // One's own order, if one has changed it.
  const common = own.filter(({ key }) => was.has(key) && merged.some((one) => one.key === key)).map(({ key }) => key);
  const numbers = common.map((key) => Number(key.slice(4)));
  if (numbers.some((number, index) => index > 0 && number < (numbers[index - 1] as number))) {
    const inOrder = common.map((key) => merged.find((one) => one.key === key) as Named<T>);
    for (const [index, { key }] of merged.entries())
      if (common.includes(key)) merged[index] = inOrder.shift() as Named<T>;
  }
  own.forEach((one, index) => {
    const old = was.get(one.key);
    // What somebody else removed stays removed, unless one has changed it.
    if (merged.some(({ key }) => key === one.key) || (old !== undefined && isSame(old, one.item))) return;
    const isLast = own.slice(index).every(({ key }) => !merged.some((other) => other.key === key));
    merged.splice(isLast ? merged.length : merged.findIndex(({ key }) => key === own[index - 1]?.key) + 1, 0, one);
  });
  return merged.map(({ item }) => item);
};

const once = <T>(list: readonly T[], keyOf: (item: T) => string): T[] =>
  list.filter((item, index) => list.findIndex((other) => keyOf(other) === keyOf(item)) === index);

export const mergeSort = (
  before: readonly SortItem[],
  mine: readonly SortItem[],
  now: readonly SortItem[],
): SortItem[] => {
  const keyOf = ({ fieldId }: SortItem): string => fieldId;
  return once(mergeLists(before, mine, now, { keyOf }), keyOf);
};

const itemKey = (item: unknown): string => {
  const { id, token } = (typeof item === 'object' && item !== null ? item : {}) as { id?: string; token?: string };
  // A file gets its id from the server.
  return token ?? id ?? textOf(item);
};

const itemsOf = (cell: unknown): readonly unknown[] =>
  Array.isArray(cell) ? cell : cell === null || cell === undefined ? [] : [cell];

/** The same people, records, files or values in the same order, whatever they are called by now. */
export const isSameCell = (one: unknown, other: unknown): boolean =>
  isSame(itemsOf(one).map(itemKey), itemsOf(other).map(itemKey));

/** A cell that is a list: what one person added and removed, made to what it is now. */
export const mergeCells = (before: unknown, mine: unknown, now: unknown): unknown[] | null => {
  const [was, own, present] = [itemsOf(before), itemsOf(mine), itemsOf(now)];
  const has = (list: readonly unknown[], item: unknown): boolean =>
    list.some((other) => itemKey(other) === itemKey(item));
  const stay = present.filter((item) => has(own, item) || !has(was, item));
  const merged = isSame(was.map(itemKey), present.map(itemKey))
    ? [...own]
    : [...stay, ...own.filter((item) => !has(was, item) && !has(present, item))];
  return merged.length === 0 ? null : merged;
};

const isGroup = (item: Condition | FilterGroup): item is FilterGroup => 'filterSet' in item;

export const mergeFilters = (before: FilterGroup, mine: FilterGroup, now: FilterGroup): FilterGroup => ({
  conjunction: before.conjunction === mine.conjunction ? now.conjunction : mine.conjunction,
  filterSet: mergeLists(before.filterSet, mine.filterSet, now.filterSet, {
    keyOf: textOf,
    join: (old, own, other) => (isGroup(old) && isGroup(own) && isGroup(other) ? mergeFilters(old, own, other) : own),
  }),
});

interface ChoiceDraft {
  id?: string;
  name: string;
}

const choicesIn = (options: Record<string, unknown>): ChoiceDraft[] =>
  Array.isArray(options['choices']) ? (options['choices'] as ChoiceDraft[]) : [];

/** Options of a field whose type has stayed. */
export const mergeOptions = (
  before: Record<string, unknown>,
  mine: Record<string, unknown>,
  now: Record<string, unknown>,
): Record<string, unknown> => {
  const merged: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(now), ...Object.keys(mine)])) {
    const value = isSame(before[key], mine[key]) ? now[key] : mine[key];
    if (value !== undefined) merged[key] = value;
  }
  if ('choices' in merged) {
    const choices = mergeLists(choicesIn(before), choicesIn(mine), choicesIn(now), {
      keyOf: ({ id, name }) => id ?? `named ${name}`,
    });
    // Two people made the same choice: the one that has an id is there already.
    merged['choices'] = once(
      choices.toSorted((one, other) => Number(one.id === undefined) - Number(other.id === undefined)),
      ({ name }) => name.trim(),
    ).toSorted((one, other) => choices.indexOf(one) - choices.indexOf(other));
  }
  return merged;
};

/** People write its cells, which hold several things. */
export const isList = ({ isMultipleCellValue, isComputed }: Field): boolean =>
  isMultipleCellValue === true && isComputed !== true;
