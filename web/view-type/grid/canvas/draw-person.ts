// The cell that somebody else is in: a border in their colour, and their name in the corner.
import type { Rectangle } from '@glideapps/glide-data-grid';

export interface PersonMark {
  name: string;
  color: string;
}

const tagHeight = 13;
const longestName = 14;

export const drawPerson = (
  ctx: CanvasRenderingContext2D,
  { x, y, width, height }: Rectangle,
  { name, color }: PersonMark,
): void => {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.strokeRect(x + 2, y + 1, width - 3, height - 2);
  ctx.font = '600 9px Inter, sans-serif';
  const text = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const tagWidth = Math.min(width - 4, ctx.measureText(text).width + 8);
  ctx.fillStyle = color;
  ctx.fillRect(x + width - tagWidth, y, tagWidth, tagHeight);
  ctx.fillStyle = '#ffffff';
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.fillText(text, x + width - tagWidth + 4, y + tagHeight / 2 + 0.5);
  ctx.restore();
};
