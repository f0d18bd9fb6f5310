// A text that leads somewhere.
import type { BaseDrawArgs } from '@glideapps/glide-data-grid';

type DrawText = (args: BaseDrawArgs, text: string, align: 'left') => void;

/** `draw`: how texts are drawn. */
export const drawLink = (args: BaseDrawArgs, text: string, draw: DrawText): void => {
  const { ctx, rect, theme } = args;
  draw({ ...args, theme: { ...theme, textDark: theme.linkColor } }, text, 'left');
  const [left, right] = [rect.x + theme.cellHorizontalPadding, rect.x + rect.width - theme.cellHorizontalPadding];
  const y = rect.y + rect.height / 2 + 8.5;
  ctx.save();
  ctx.strokeStyle = theme.linkColor;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(Math.min(right, left + ctx.measureText(text).width), y);
  ctx.stroke();
  ctx.restore();
};
