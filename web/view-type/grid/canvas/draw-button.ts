// A button in a cell of the grid: drawn, and found under the pointer.
import { type BaseDrawArgs, measureTextCached, type Rectangle } from '@glideapps/glide-data-grid';
import { choiceColor } from '../../../field-type/cell/choice-color.ts';

const height = 24;
const padding = 11;
export const buttonPadding = 2 * padding;

const widthOf = (ctx: CanvasRenderingContext2D, label: string, room: number, font: string): number =>
  Math.min(measureTextCached(label, ctx, font).width + buttonPadding, room);

let measuring: CanvasRenderingContext2D | null | undefined;

export const isOnButton = (
  x: number,
  y: number,
  cell: Pick<Rectangle, 'width' | 'height'>,
  theme: BaseDrawArgs['theme'],
  label: string,
): boolean => {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) return false;
  measuring.font = theme.baseFontFull;
  const room = cell.width - 2 * theme.cellHorizontalPadding;
  const width = widthOf(measuring, label, room, theme.baseFontFull);
  const left = theme.cellHorizontalPadding;
  return x >= left && x <= left + width && Math.abs(y - cell.height / 2) <= height / 2;
};

export const drawButton = (
  { ctx, rect, theme }: BaseDrawArgs,
  { label, color, isUsedUp }: { label: string; color: string; isUsedUp: boolean },
): void => {
  const paint = choiceColor(color);
  const room = rect.width - 2 * theme.cellHorizontalPadding;
  const width = widthOf(ctx, label, room, theme.baseFontFull);
  const [x, y] = [rect.x + theme.cellHorizontalPadding, rect.y + (rect.height - height) / 2];
  ctx.save();
  if (isUsedUp) ctx.globalAlpha = 0.5;
  ctx.fillStyle = paint.background;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, 6);
  ctx.fill();
  ctx.clip();
  ctx.font = theme.baseFontFull;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.fillStyle = paint.text;
  ctx.fillText(label, x + padding, y + height / 2 + 1);
  ctx.restore();
};
