// The view types there are. Adding one: its file in view-type/, and its line here.
import { calendar } from './view-type/calendar.ts';
import { form } from './view-type/form.ts';
import { gallery } from './view-type/gallery.ts';
import { gantt } from './view-type/gantt.ts';
import { grid } from './view-type/grid.ts';
import { kanban } from './view-type/kanban.ts';
import { timeline } from './view-type/timeline.ts';
import type { FieldReference, ViewTypeShape } from './view-type.ts';

const shapes = {
  grid,
  kanban,
  gallery,
  calendar,
  timeline,
  gantt,
  form,
} as const satisfies Record<string, ViewTypeShape>;

export type ViewType = keyof typeof shapes;
/** In the order in which they are offered. */
export const viewTypes = Object.keys(shapes) as ViewType[];

export const shapeOf = (type: ViewType): ViewTypeShape => shapes[type];

interface OfType {
  type: ViewType;
  options: Readonly<Record<string, unknown>>;
}

/** The fields that options name: where, which, and what they ask of it. What was said about other types counts nothing. */
export const fieldsNamedBy = ({ type, options }: OfType): { path: string; fieldId: string; asks: FieldReference }[] =>
  Object.entries(shapeOf(type).references).flatMap(([path, asks]) => {
    const fieldId = path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], options);
    return typeof fieldId === 'string' ? [{ path, fieldId, asks }] : [];
  });

/** Those options without `keys`, and with a note of it where the type tells what was lost. */
export const withoutOptions = (
  { type, options }: OfType,
  keys: ReadonlySet<string | undefined>,
): Record<string, unknown> => {
  const kept = Object.fromEntries(Object.entries(options).filter(([key]) => !keys.has(key)));
  if (keys.size === 0 || shapeOf(type).tellsLost !== true) return kept;
  const known = (options['lostOptions'] as readonly string[] | null | undefined) ?? [];
  return { ...kept, lostOptions: [...new Set([...known, ...keys])] };
};
