// Draws a cell in the shape that its field type gives it.
import { type BaseDrawArgs, drawTextCell } from '@glideapps/glide-data-grid';
import { pictureOf } from '../../../app/pictures.ts';
import { choiceColor } from '../../../field-type/cell/choice-color.ts';
import { linkOf } from '../../../field-type/cell/cell-link.ts';
import { isUnparsed } from '../../../field-type/cell/cell-parts.ts';
import { shownCell } from '../../../field-type/cell-text.ts';
import type { ShownPill } from '../../../field-type/field-type.ts';
import { drawButton } from './draw-button.ts';
import { drawCheckbox } from './draw-checkbox.ts';
import { drawFiles } from './draw-files.ts';
import { drawLink } from './draw-link.ts';
import { drawMeter, meterOf } from './draw-meter.ts';
import { drawPills, type DrawnPill } from './draw-pills.ts';
import { drawSeries, seriesOf } from './draw-series.ts';
import { firstLine, fittedNumber, fittedText, roomOf, widthIn } from './fitted-text.ts';
import { drawStars } from './draw-stars.ts';
import type { FieldCell } from './field-cell.ts';

/** More than any cell has room for: a list may have thousands, and is drawn again with every movement. */
export const mostDrawn = 100;

type Colors = Pick<BaseDrawArgs['theme'], 'bgBubble' | 'textDark'>;

export const drawnPills = (pills: readonly ShownPill[], theme: Colors): DrawnPill[] =>
  pills.map(({ text, color, person }) => {
    const paint = color === undefined ? undefined : choiceColor(color);
    return {
      text,
      background: paint?.background ?? theme.bgBubble,
      color: paint?.text ?? theme.textDark,
      ...(person === undefined
        ? {}
        : { avatar: { name: person.title, seed: person.id, picture: pictureOf(person.id) } }),
    };
  });

const drawNumber = (args: BaseDrawArgs, text: string): void =>
  drawTextCell(args, fittedNumber(text, roomOf(args), widthIn(args.ctx, args.theme)), 'right');

/** `mayWrap`: rows are high enough for several lines. */
const drawText = (args: BaseDrawArgs, text: string, mayWrap = false): void =>
  drawTextCell(
    args,
    mayWrap ? text : fittedText(firstLine(text), roomOf(args), widthIn(args.ctx, args.theme)),
    'left',
    mayWrap,
  );

export const drawField = (args: BaseDrawArgs, cell: FieldCell): void => {
  const { field, value } = cell.data;
  const meter = typeof value === 'number' ? meterOf(field.options) : undefined;
  if (meter !== undefined) return drawMeter(args, value as number, cell.copyData, meter);
  const series = Array.isArray(value) && field.cellValueType === 'number' ? seriesOf(field.options) : undefined;
  if (series !== undefined) return drawSeries(args, value as number[], series);
  if (linkOf(field, value) !== undefined) return drawLink(args, cell.copyData, drawTextCell);
  if (isUnparsed(value)) return drawTextCell(args, value.unparsed, field.cellValueType === 'number' ? 'right' : 'left');
  const shown = shownCell(field, value, mostDrawn);
  switch (shown.as) {
    case 'text':
      return shown.isNumber === true
        ? drawNumber(args, cell.copyData)
        : drawText(args, cell.copyData, args.rect.height > 45);
    case 'tick':
      return drawCheckbox(args, shown.isTicked, cell.readonly === true);
    case 'stars':
      return drawStars(args, shown.count, shown.most);
    case 'pills':
      return drawPills(args, drawnPills(shown.pills, args.theme));
    case 'pressable':
      return drawButton(args, shown);
    case 'files':
      return drawFiles(args, shown.files);
  }
};
