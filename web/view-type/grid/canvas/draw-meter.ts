// A number as a bar or a ring: how much of the largest value it is.
import type { BaseDrawArgs } from '@glideapps/glide-data-grid';
import { choiceColor } from '../../../field-type/cell/choice-color.ts';

interface Meter {
  type: 'bar' | 'ring';
  color: string;
  showValue: boolean;
  maxValue: number;
}

/** What a field says about it, when it says something that can be drawn. */
export const meterOf = (options: Record<string, unknown>): Meter | undefined => {
  const { type, color = 'blueBright', showValue = true, maxValue = 100 } = (options['showAs'] ?? {}) as Partial<Meter>;
  return (type === 'bar' || type === 'ring') && maxValue > 0 ? { type, color, showValue, maxValue } : undefined;
};

const thickness = 6;
const radius = 8;

const drawBar = (
  { ctx, rect, theme }: BaseDrawArgs,
  share: number,
  color: string,
  left: number,
  right: number,
): void => {
  const y = rect.y + rect.height / 2 - thickness / 2;
  const part = (width: number, fill: string): void => {
    ctx.fillStyle = fill;
    ctx.beginPath();
    ctx.roundRect(left, y, width, thickness, thickness / 2);
    ctx.fill();
  };
  part(right - left, theme.borderColor);
  if (share > 0) part(Math.max(thickness, (right - left) * share), color);
};

const drawRing = ({ ctx, rect, theme }: BaseDrawArgs, share: number, color: string, left: number): void => {
  const [x, y] = [left + radius, rect.y + rect.height / 2];
  const arc = (end: number, stroke: string): void => {
    ctx.strokeStyle = stroke;
    ctx.beginPath();
    ctx.arc(x, y, radius - 2, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * end);
    ctx.stroke();
  };
  ctx.lineWidth = 4;
  arc(1, theme.borderColor);
  if (share > 0) arc(share, color);
};

export const drawMeter = (
  args: BaseDrawArgs,
  value: number,
  text: string,
  { type, color, showValue, maxValue }: Meter,
): void => {
  const { ctx, rect, theme } = args;
  const share = Math.min(1, Math.max(0, value / maxValue));
  const fill = choiceColor(color).background;
  const [left, right] = [rect.x + theme.cellHorizontalPadding, rect.x + rect.width - theme.cellHorizontalPadding];
  const textWidth = showValue ? ctx.measureText(text).width + 8 : 0;
  ctx.save();
  if (type === 'ring') drawRing(args, share, fill, left);
  else if (right - left - textWidth > 2 * thickness) drawBar(args, share, fill, left, right - textWidth);
  if (showValue) {
    ctx.fillStyle = theme.textDark;
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'right';
    ctx.fillText(text, right, rect.y + rect.height / 2, Math.max(0, right - left));
  }
  ctx.restore();
};
