// A cell as the text a person sees, and in the shape it is drawn in: in the grid, on cards, on paper, copied to other programs.
import { isUnparsed } from './cell/cell-parts.ts';
import type { CellField, Shown } from './field-type.ts';
import { fieldTypeOf } from './field-types.ts';

export const cellText = (field: CellField, value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (isUnparsed(value)) return value.unparsed;
  const { text, takesLists } = fieldTypeOf(field.type);
  // A lookup through a link to several records.
  if (Array.isArray(value) && takesLists !== true)
    return value.map((item: unknown) => cellText(field, item)).join(', ');
  return text(field, value);
};

/** The same where it is read and not edited: without marks of Markdown. */
export const shownText = (field: CellField, value: unknown): string => {
  const { plain, takesLists } = fieldTypeOf(field.type);
  if (plain === undefined || isUnparsed(value)) return cellText(field, value);
  if (Array.isArray(value) && takesLists !== true)
    return value.map((item: unknown) => shownText(field, item)).join(', ');
  return plain(cellText(field, value));
};

/** Of a long list as many as `most`. */
export const shownCell = (field: CellField, value: unknown, most = Number.POSITIVE_INFINITY): Shown => {
  const { show, takesLists } = fieldTypeOf(field.type);
  if (show === undefined || isUnparsed(value) || (Array.isArray(value) && takesLists !== true)) return { as: 'text' };
  return show(field, value, most);
};
