// What stands in the cell of a link, and what a person does to it.
import type { Field, Relationship } from '@rowhouse/contract/field.ts';
import { listOf } from '../cell/cell-parts.ts';
import { foldText, foldTitle } from '@rowhouse/contract/fold.ts';

/** Without an id it is a record that the server makes when the cell is written. */
export interface Linked {
  id?: string;
  title?: string;
}

export interface LinkOptions {
  foreignTableId: string;
  relationship: Relationship;
  isOneWay?: boolean;
  symmetricFieldId?: string;
  lookupFieldId?: string | null;
  filterByViewId?: string | null;
  visibleFieldIds?: string[] | null;
  filter?: unknown;
}

/** A link of its own that works: no lookup of one, and its other table is there. */
export const isUsableLink = ({ type, isLookup, hasError }: Pick<Field, 'type' | 'isLookup' | 'hasError'>): boolean =>
  type === 'link' && isLookup !== true && hasError !== true;

export const linkOptionsOf = ({ options }: Pick<Field, 'options'>): LinkOptions => options as unknown as LinkOptions;

/** Text that is on its way to the server stands for the record of that title. */
export const linksOf = (value: unknown): Linked[] =>
  listOf(value).flatMap((item) =>
    typeof item === 'string' ? [{ title: item }] : typeof item === 'object' && item !== null ? [item as Linked] : [],
  );

export const linkTitle = ({ title }: Linked): string =>
  title === undefined || title === '' ? 'Unnamed record' : title;

export const leadsToSeveral = (field: Pick<Field, 'isMultipleCellValue'>): boolean =>
  field.isMultipleCellValue === true;

/** A record belongs to one record only: what is taken is not to be had. */
export const isExclusive = (field: Pick<Field, 'options'>): boolean =>
  ['oneMany', 'oneOne'].includes(linkOptionsOf(field).relationship);

export const cellOfLinks = (links: readonly Linked[], isSeveral: boolean): unknown =>
  links.length === 0 ? null : isSeveral ? links : links.at(-1);

export const isSameLink = (one: Linked, other: Linked): boolean =>
  one.id === undefined || other.id === undefined ? one.title === other.title : one.id === other.id;

const isSameTitle = (one: Linked, other: Linked): boolean => foldTitle(linkTitle(one)) === foldTitle(linkTitle(other));

/** Those that were to be made have their ids as soon as the server has answered: of the record that it made, or found without case and accents. */
export const withIds = (links: readonly Linked[], answered: readonly Linked[]): Linked[] =>
  links.map((link) => (link.id === undefined ? (answered.find((one) => isSameTitle(one, link)) ?? link) : link));

export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_item, at) => at !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
};

/** The best first: the very text, then what begins with it, then the order they came in. */
export const bestFirst = <T>(list: readonly T[], textOf: (item: T) => string, wanted: string): T[] => {
  const text = foldTitle(wanted);
  if (text === '') return [...list];
  const rank = (item: T): number => {
    const own = foldText(textOf(item));
    return own === text ? 0 : own.startsWith(text) ? 1 : own.includes(text) ? 2 : 3;
  };
  return list.toSorted((one, other) => rank(one) - rank(other));
};
