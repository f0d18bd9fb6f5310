// How wide a cell would have to be for all that it shows. A double click on the edge of a column asks for it.
import { buttonPadding } from './draw-button.ts';
import { checkboxWidth } from './draw-checkbox.ts';
import type { FieldCell } from './field-cell.ts';
import { shownCell, shownText } from '../../../field-type/cell-text.ts';
import type { ShownPill } from '../../../field-type/field-type.ts';
import { rowHeights } from '../row-height.ts';
import { filesWidth } from './draw-files.ts';
import { firstLine, type WidthOf } from './fitted-text.ts';

const pillPadding = 18;
const avatarPadding = 31;
const gap = 5;
const star = 18;

const pills = (shown: readonly ShownPill[], widthOf: WidthOf): number =>
  shown.reduce(
    (sum, { text, person }) => sum + widthOf(text) + (person === undefined ? pillPadding : avatarPadding) + gap,
    -gap,
  );

/** A little more than the text: what is drawn is rounded. */
const slack = 2;

export const contentWidth = ({ field, value }: FieldCell['data'], widthOf: WidthOf): number => {
  const shown = shownCell(field, value);
  if (shown.as === 'pressable') return widthOf(shown.label) + buttonPadding;
  if (value === undefined || value === null) return 0;
  switch (shown.as) {
    case 'text':
      return widthOf(firstLine(shownText(field, value))) + slack;
    case 'tick':
      return checkboxWidth;
    case 'stars':
      return shown.most * star;
    case 'pills':
      return pills(shown.pills, widthOf);
    case 'files':
      return filesWidth(shown.files, rowHeights.medium, widthOf);
  }
};
