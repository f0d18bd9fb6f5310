// How many comments a record has, in its first cell. While the button that opens the record is shown, it stands beside that.
import type { Rectangle, Theme } from '@glideapps/glide-data-grid';

const height = 17;
const padding = 6;
const icon = 10;
const openButton = 28;

export const drawCommentCount = (
  ctx: CanvasRenderingContext2D,
  rect: Rectangle,
  theme: Theme,
  count: number,
  isHovered: boolean,
): void => {
  const text = count > 99 ? '99+' : String(count);
  ctx.save();
  ctx.beginPath();
  ctx.rect(rect.x, rect.y, rect.width, rect.height);
  ctx.clip();
  ctx.font = `600 10px ${theme.fontFamily}`;
  const width = ctx.measureText(text).width + icon + padding * 2 + 3;
  const x = rect.x + rect.width - width - 6 - (isHovered ? openButton : 0);
  const y = rect.y + (rect.height - height) / 2;
  ctx.fillStyle = theme.accentLight;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, height / 2);
  ctx.fill();
  // A small speech bubble.
  ctx.strokeStyle = theme.accentColor;
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  ctx.roundRect(x + padding, y + 4.5, icon, 7, 2);
  ctx.moveTo(x + padding + 2.5, y + 11.5);
  ctx.lineTo(x + padding + 2.5, y + 13.5);
  ctx.lineTo(x + padding + 5, y + 11.5);
  ctx.stroke();
  ctx.fillStyle = theme.accentColor;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + padding + icon + 3, y + height / 2 + 0.5);
  ctx.restore();
};
