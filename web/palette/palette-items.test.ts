import { expect, test } from 'vitest';
import { paletteGroups, type PaletteItem } from './palette-items.ts';

const item = (kind: PaletteItem['kind'], label: string, place?: string): PaletteItem => ({
  id: `${kind} ${place} ${label}`,
  kind,
  label,
  place,
  run: () => undefined,
});

const items = [
  item('command', 'Home'),
  item('base', 'CRM'),
  item('base', 'Garden'),
  item('table', 'Contacts', 'CRM'),
  item('table', 'Old contacts', 'Garden'),
  item('view', 'By contact', 'Deals'),
  item('record', 'Contact lens'),
];
const shown = (typed: string, here: (item: PaletteItem) => boolean = () => false): string[] =>
  paletteGroups(items, typed, here).map(
    (group) => `${group.title}: ${group.items.map(({ label }) => label).join(', ')}`,
  );

test('what begins with the words comes before what contains them, in groups by kind', () => {
  expect(shown('Contact')).toEqual(['Tables: Contacts, Old contacts', 'Views: By contact', 'Records: Contact lens']);
});

test('words of the place count, in any order', () => {
  expect(shown('contacts crm')).toEqual(['Tables: Contacts', 'Records: Contact lens']);
});

test('before anything is typed there are bases, commands, and the tables that are here', () => {
  expect(shown('', ({ place }) => place === 'Garden')).toEqual([
    'Tables: Old contacts',
    'Bases: CRM, Garden',
    'Records: Contact lens',
    'Commands: Home',
  ]);
});
