// A list of numbers as bars or as a line.
import type { BaseDrawArgs } from '@glideapps/glide-data-grid';
import { choiceColor } from '../../../field-type/cell/choice-color.ts';

interface Series {
  type: 'bar' | 'line';
  color: string;
}

/** What a field says about it, when it says something that can be drawn. */
export const seriesOf = (options: Record<string, unknown>): Series | undefined => {
  const { type, color = 'blueBright' } = (options['showAs'] ?? {}) as Partial<Series>;
  return type === 'bar' || type === 'line' ? { type, color } : undefined;
};

const gap = 2;

/** 0 is always in sight: bars stand on it. */
export const drawSeries = (
  { ctx, rect, theme }: BaseDrawArgs,
  values: readonly number[],
  { type, color }: Series,
): void => {
  if (values.length === 0) return;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [left, top] = [rect.x + theme.cellHorizontalPadding, rect.y + 6];
  const [width, height] = [rect.width - 2 * theme.cellHorizontalPadding, rect.height - 12];
  const y = (value: number): number => top + (high === low ? height : ((high - value) / (high - low)) * height);
  ctx.save();
  if (type === 'bar') {
    ctx.fillStyle = choiceColor(color).background;
    const step = width / values.length;
    values.forEach((value, at) =>
      ctx.fillRect(
        left + at * step,
        Math.min(y(value), y(0)),
        Math.max(1, step - gap),
        Math.max(1, Math.abs(y(value) - y(0))),
      ),
    );
  } else {
    ctx.strokeStyle = choiceColor(color).background;
    ctx.lineWidth = 2;
    ctx.beginPath();
    const step = values.length === 1 ? 0 : width / (values.length - 1);
    values.forEach((value, at) => (at === 0 ? ctx.moveTo(left, y(value)) : ctx.lineTo(left + at * step, y(value))));
    // One value alone has no direction.
    if (values.length === 1) ctx.lineTo(left + width, y(values[0] as number));
    ctx.stroke();
  }
  ctx.restore();
};
