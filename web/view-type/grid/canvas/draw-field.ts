// Draws a cell by the type of its field.
import { type BaseDrawArgs, drawTextCell } from '@glideapps/glide-data-grid';
import { pictureOf } from '../../../app/pictures.ts';
import { choiceColor } from '../../../field-type/cell/choice-color.ts';
import {
  cellText,
  choicesOf,
  filesOf,
  isUnparsed,
  listOf,
  peopleOf,
  titlesOf,
} from '../../../record-data/cell/cell-text.ts';
import { linkOf } from '../../../field-type/cell/cell-link.ts';
import { drawCheckbox } from './draw-checkbox.ts';
import { drawLink } from './draw-link.ts';
import { drawMeter, meterOf } from './draw-meter.ts';
import { drawPills, type DrawnPill } from './draw-pills.ts';
import { drawSeries, seriesOf } from './draw-series.ts';
import { firstLine, fittedNumber, fittedText, roomOf, widthIn } from './fitted-text.ts';
import { drawStars } from './draw-stars.ts';
import type { FieldCell } from './field-cell.ts';

const colorsByName = new WeakMap<object, Map<string, string>>();

/** The colour of a choice, by its name. */
export const colorOf = (options: Record<string, unknown>, name: string): string => {
  let colors = colorsByName.get(options);
  if (colors === undefined) {
    colors = new Map(choicesOf({ options }).map((choice) => [choice.name, choice.color]));
    colorsByName.set(options, colors);
  }
  return colors.get(name) ?? 'grayLight1';
};

/** More than any cell has room for: a list may have thousands, and is drawn again with every movement. */
const mostDrawn = 100;

export const linkPills = (value: unknown, theme: Pick<BaseDrawArgs['theme'], 'bgBubble' | 'textDark'>): DrawnPill[] =>
  titlesOf(listOf(value).slice(0, mostDrawn)).map((text) => ({
    text,
    background: theme.bgBubble,
    color: theme.textDark,
  }));

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
  if (isUnparsed(value)) return drawTextCell(args, value.unparsed, field.type === 'number' ? 'right' : 'left');
  if (
    Array.isArray(value) &&
    (field.type === 'checkbox' || field.type === 'rating' || field.type === 'number' || field.type === 'autoNumber')
  )
    return drawTextCell(args, cell.copyData, 'left');
  switch (field.type) {
    case 'number':
    case 'autoNumber':
      return drawNumber(args, cell.copyData);
    case 'count':
    case 'rollup':
    case 'conditionalRollup':
    case 'formula':
      return field.cellValueType === 'number' && field.isMultipleCellValue !== true
        ? drawNumber(args, cell.copyData)
        : drawText(args, cell.copyData, args.rect.height > 45);
    case 'checkbox':
      return drawCheckbox(args, value === true, cell.readonly === true);
    case 'rating':
      return drawStars(
        args,
        typeof value === 'number' ? value : 0,
        typeof field.options['max'] === 'number' ? field.options['max'] : 5,
      );
    case 'singleSelect':
    case 'multipleSelect':
      return drawPills(
        args,
        listOf(value).map((item) => {
          const { background, text } = choiceColor(colorOf(field.options, String(item)));
          return { text: String(item), background, color: text };
        }),
      );
    case 'link':
      return drawPills(args, linkPills(value, args.theme));
    case 'user':
    case 'createdBy':
    case 'lastModifiedBy':
      return drawPills(
        args,
        peopleOf(value).map((person) => ({
          text: person.title,
          background: args.theme.bgBubble,
          color: args.theme.textDark,
          avatar: { name: person.title, seed: person.id, picture: pictureOf(person.id) },
        })),
      );
    case 'attachment':
      return drawPills(
        args,
        filesOf(value).map(({ name }) => ({ text: name, background: args.theme.bgBubble, color: args.theme.textDark })),
      );
    default:
      return drawText(args, cellText(field, value), args.rect.height > 45);
  }
};
