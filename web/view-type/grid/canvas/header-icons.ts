// Icons of the field types in the header of the grid: those of the rest of the app, as the canvas needs them, which is text of
// SVG pictures.
import type { SpriteMap } from '@glideapps/glide-data-grid';
import type { LucideIcon } from 'lucide-react';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { allKinds, fieldTypeOf } from '../../../field-type/field-types.ts';

const shapesOf = (icons: readonly LucideIcon[]): string[] => {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  flushSync(() => root.render(icons.map((icon, at) => createElement(icon, { key: at }))));
  const shapes = [...holder.children].map(({ innerHTML }) => innerHTML);
  root.unmount();
  return shapes;
};

const shapes = shapesOf(allKinds.map((kind) => fieldTypeOf(kind).icon));

export const headerIcons: SpriteMap = Object.fromEntries(
  allKinds.map((kind, at) => [
    kind,
    ({ bgColor }: { bgColor: string }) =>
      `<svg width="20" height="20" viewBox="0 0 24 24" fill="none" xmlns="http://www.w3.org/2000/svg"><g stroke="${bgColor}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${shapes[at]}</g></svg>`,
  ]),
);
