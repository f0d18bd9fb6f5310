import { Link2 } from 'lucide-react';
import { listOf, titlesOf } from '../cell/cell-parts.ts';
import { namesIn } from '../cell/names-in.ts';
import { type FieldTypeEntry, fits } from '../field-type.ts';
import { cellOfLinks, leadsToSeveral, linkOptionsOf, linksOf } from './linked.ts';

const listTexts = new WeakMap<readonly unknown[], string>();

/** The grid asks for it with every movement, and a list may have thousands of titles. */
const textOfTitles = (value: unknown): string => {
  if (!Array.isArray(value)) return titlesOf(value).join(', ');
  const known = listTexts.get(value);
  if (known !== undefined) return known;
  const text = titlesOf(value).join(', ');
  listTexts.set(value, text);
  return text;
};

/** Titles of records instead of their ids: the server looks for them, and makes those that are not there. */
const namesTitles = (value: unknown): boolean =>
  listOf(value).some((item) => typeof item === 'string' || (item as { id?: string } | null)?.id === undefined);

export const link: FieldTypeEntry = {
  label: 'Link',
  meaning: 'Records of another table',
  icon: Link2,
  text: (_field, value) => textOfTitles(value),
  show: (_field, value, most) => {
    const all = listOf(value);
    return {
      as: 'pills',
      pills: titlesOf(all.slice(0, most)).map((text) => ({ text })),
      left: Math.max(0, all.length - most),
    };
  },
  takesLists: true,
  read: (field, text) => fits(leadsToSeveral(field) ? namesIn(text).map((title) => ({ title })) : { title: text }),
  readValue: (field, value) =>
    fits(cellOfLinks(linksOf(value).slice(0, leadsToSeveral(field) ? undefined : 1), leadsToSeveral(field))),
  leadsTo: (field) => linkOptionsOf(field).foreignTableId,
  isByName: namesTitles,
  namesNew: (_field, value) => namesTitles(value),
};
