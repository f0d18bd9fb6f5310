// The view types there are. Adding one: its folder, and its line here.
import type { Field } from '@rowhouse/contract/field.ts';
import type { NewView, ViewType } from '@rowhouse/contract/view.ts';
import { calendar } from './calendar/calendar-type.ts';
import { form } from './form/form-type.ts';
import { gallery } from './gallery/gallery-type.ts';
import { gantt } from './gantt/gantt-type.tsx';
import { grid } from './grid/grid-type.tsx';
import { kanban } from './kanban/kanban-type.ts';
import { timeline } from './timeline/timeline-type.tsx';
import type { ViewTypeEntry } from './view-type.ts';

/** In the order in which they are offered. */
export const viewTypes: Record<ViewType, ViewTypeEntry> = {
  grid,
  kanban,
  gallery,
  calendar,
  timeline,
  gantt,
  form,
};

/** `Grid`, or `Grid 2` when that is taken. */
export const freeName = (wanted: string, taken: readonly { name: string }[]): string => {
  const names = new Set(taken.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!names.has(name.toLowerCase())) return name;
  }
};

export const newView = (type: ViewType, views: readonly { name: string }[], fields: readonly Field[]): NewView => ({
  type,
  name: freeName(viewTypes[type].label, views),
  ...viewTypes[type].begin(fields),
});
