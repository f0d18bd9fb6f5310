import { LayoutGrid } from 'lucide-react';
import { onCards } from '../card/card-cover.tsx';
import { CardSettings } from '../card/card-settings.tsx';
import type { ViewTypeEntry } from '../view-type.ts';
import { GalleryView } from './gallery-view.tsx';

export const gallery: ViewTypeEntry = {
  label: 'Gallery',
  meaning: 'A card for each record',
  icon: LayoutGrid,
  begin: (fields) => ({ columnMeta: onCards(fields) }),
  View: GalleryView,
  tools: ['fields', 'filter', 'sort', 'colors'],
  before: CardSettings,
  search: 'cards',
  addsRecords: true,
  downloads: [],
  print: () => window.print(),
};
