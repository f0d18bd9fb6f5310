// Icons of the field types in the header of the grid, as the canvas needs them: text of SVG pictures.
import type { SpriteMap } from '@glideapps/glide-data-grid';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';

const shapes: Record<FieldTypeName, string> = {
  singleLineText: '<path d="M5 6V4h10v2M10 4v12M8 16h4"/>',
  longText: '<path d="M4 5h12M4 9h12M4 13h12M4 17h7"/>',
  number: '<path d="M4 8h12M4 13h12M8 3 6.5 17M13.5 3 12 17"/>',
  rating: '<path d="m10 2.5 2.3 4.8 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.200L2.5 8l5.2-.7z"/>',
  checkbox: '<rect x="3" y="3" width="14" height="14" rx="2.5"/><path d="m7 10 2.2 2.200L13.5 8"/>',
  date: '<rect x="3" y="4" width="14" height="13" rx="2"/><path d="M3 8.500h14M7 2.500v3M13 2.500v3"/>',
  singleSelect: '<circle cx="10" cy="10" r="7.5"/><path d="m7 9 3 3 3-3"/>',
  multipleSelect: '<path d="M10 5h7M10 10h7M10 15h7M3 5l1.3 1.300L7 3.700M3 10l1.3 1.300L7 8.700M3 15l1.3 1.300L7 13.7"/>',
  user: '<circle cx="10" cy="6.5" r="3.5"/><path d="M3.5 17c0-3.5 3-5.5 6.5-5.500s6.5 2 6.5 5.5"/>',
  autoNumber: '<path d="M4 6.5 5.5 5v6M10 6h7M10 14h7M3.5 13.500h2.500l-2.5 3.500h2.7"/>',
  createdTime: '<circle cx="10" cy="10" r="7.5"/><path d="M10 6v4l2.5 2"/>',
  lastModifiedTime: '<path d="M3 10a7 7 0 1 0 2-5M3 3.500V7h3.500M10 6.500V10l2.5 1.5"/>',
  createdBy: '<circle cx="8.5" cy="6.5" r="3.5"/><path d="M2.5 17c0-3.5 2.7-5.5 6-5.500M15 11v6M12 14h6"/>',
  lastModifiedBy: '<circle cx="8.5" cy="6.5" r="3.5"/><path d="M2.5 17c0-3.5 2.7-5.5 6-5.500M12 17v-2l4-4 2 2-4 4z"/>',
};

export const headerIcons: SpriteMap = Object.fromEntries(
  Object.entries(shapes).map(([type, shape]) => [
    type,
    ({ bgColor }: { bgColor: string }) =>
      `<svg width="20" height="20" viewBox="0 0 20 20" fill="none" xmlns="http://www.w3.org/2000/svg"><g stroke="${bgColor}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${shape}</g></svg>`,
  ]),
);
