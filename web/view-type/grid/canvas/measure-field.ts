// How wide a cell would have to be for all that it shows. A double click on the edge of a column asks for it.
import { checkboxWidth } from './draw-checkbox.ts';
import type { FieldCell } from './field-cell.ts';
import { cellText, filesOf, listOf, peopleOf, titlesOf } from '../../../record-data/cell/cell-text.ts';
import { firstLine, type WidthOf } from './fitted-text.ts';

const pillPadding = 18;
const avatarPadding = 31;
const gap = 5;
const star = 18;

const pills = (texts: readonly string[], padding: number, widthOf: WidthOf): number =>
  texts.reduce((sum, text) => sum + widthOf(text) + padding + gap, -gap);

/** A little more than the text: what is drawn is rounded. */
const slack = 2;

export const contentWidth = ({ field, value }: FieldCell['data'], widthOf: WidthOf): number => {
  if (value === undefined || value === null) return 0;
  switch (field.type) {
    case 'checkbox':
      return Array.isArray(value) ? widthOf(cellText(field, value)) : checkboxWidth;
    case 'rating':
      return Array.isArray(value)
        ? widthOf(cellText(field, value))
        : (typeof field.options['max'] === 'number' ? field.options['max'] : 5) * star;
    case 'singleSelect':
    case 'multipleSelect':
      return pills(listOf(value).map(String), pillPadding, widthOf);
    case 'link':
      return pills(titlesOf(value), pillPadding, widthOf);
    case 'user':
    case 'createdBy':
    case 'lastModifiedBy':
      return pills(
        peopleOf(value).map(({ title }) => title),
        avatarPadding,
        widthOf,
      );
    case 'attachment':
      return pills(
        filesOf(value).map(({ name }) => name),
        pillPadding,
        widthOf,
      );
    default:
      return widthOf(firstLine(cellText(field, value))) + slack;
  }
};
