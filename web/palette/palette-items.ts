// What Ctrl-K can find, and in which order it is shown. Pure.
import { matching } from '../ui/matching.ts';

export type ItemKind = 'command' | 'base' | 'table' | 'dashboard' | 'view' | 'record';

export interface PaletteItem {
  id: string;
  kind: ItemKind;
  label: string;
  /** Where it is: the base of a table, the table of a view or record. */
  place?: string | undefined;
  run: () => void;
}

interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

const titles: Record<ItemKind, string> = {
  record: 'Records',
  table: 'Tables',
  dashboard: 'Dashboards',
  view: 'Views',
  base: 'Bases',
  command: 'Commands',
};

/** As many of a kind are seen at a glance. */
const mostOfKind = 6;

const order: readonly ItemKind[] = ['table', 'dashboard', 'view', 'base', 'record', 'command'];

/** Records are found by the server; everything else by its name, or by its name behind its place: "crm contacts". */
const found = (items: readonly PaletteItem[], wanted: string): PaletteItem[] => {
  const byName = matching(items, ({ label }) => label, wanted);
  const words = wanted.split(/\s+/);
  const byPlace = items.filter((item) => {
    const text = `${item.place ?? ''} ${item.label}`.toLowerCase();
    return !byName.includes(item) && words.every((word) => text.includes(word));
  });
  return [...byName, ...byPlace];
};

/** `here`: what stands first while nothing is typed, such as tables of the base that is open. */
export const paletteGroups = (
  items: readonly PaletteItem[],
  typed: string,
  here: (item: PaletteItem) => boolean,
): PaletteGroup[] => {
  const wanted = typed.trim().toLowerCase();
  return order.flatMap((kind): PaletteGroup[] => {
    const ofKind = items.filter((item) => item.kind === kind);
    const shown =
      kind === 'record'
        ? ofKind
        : wanted === ''
          ? ofKind.filter((item) => kind === 'command' || kind === 'base' || here(item))
          : found(ofKind, wanted);
    const limited = shown.slice(0, kind === 'command' ? shown.length : mostOfKind);
    return limited.length === 0 ? [] : [{ title: titles[kind], items: limited }];
  });
};
