// What visitors see of each view type that shows records; each is loaded when a share shows it. Adding a view type: its line here.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { ViewType } from '@rowhouse/contract/view-types.ts';
import { type ComponentType, lazy } from 'react';

interface SharedViewProps {
  shareId: string;
  /** Not of one view: what the table itself is asked for can be asked. */
  isOfBase: boolean;
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  /** Grows when the records are to be read again. */
  changes: number;
  mayCopy: boolean;
  onOpen: (recordId: string) => void;
  /** Visitors add nothing here. */
  onAdd: undefined;
  onFiles: undefined;
}

const later = (load: () => Promise<ComponentType<SharedViewProps>>): ComponentType<SharedViewProps> =>
  lazy(async () => ({ default: await load() }));

/** Undefined: its share collects answers, on a page of its own. */
export const sharedViews: Record<ViewType, ComponentType<SharedViewProps> | undefined> = {
  grid: later(async () => (await import('./share-grid.tsx')).ShareGrid),
  kanban: later(async () => (await import('./share-board.tsx')).ShareBoard),
  gallery: later(async () => (await import('../view-type/gallery/gallery-view.tsx')).GalleryView),
  calendar: later(async () => (await import('./share-calendar.tsx')).ShareCalendar),
  timeline: later(async () => (await import('./share-bars.tsx')).ShareTimeline),
  gantt: later(async () => (await import('./share-bars.tsx')).ShareGantt),
  form: undefined,
};
