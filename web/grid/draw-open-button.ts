// The small button in the first cell of a row that opens the record.
import type { Rectangle, Theme } from '@glideapps/glide-data-grid';

export const openButtonWidth = 30;

export const drawOpenButton = (ctx: CanvasRenderingContext2D, rect: Rectangle, theme: Theme, hoverX: number | undefined): void => {
  const size = 22;
  const x = rect.x + rect.width - size - 5;
  const y = rect.y + Math.min((rect.height - size) / 2, 6);
  const isOver = hoverX !== undefined && hoverX >= rect.width - openButtonWidth;
  ctx.fillStyle = isOver ? theme.accentLight : theme.bgCell;
  ctx.strokeStyle = theme.borderColor;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.roundRect(x + 0.5, y + 0.5, size, size, 6);
  ctx.fill();
  ctx.stroke();
  ctx.strokeStyle = isOver ? theme.accentColor : theme.textMedium;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  ctx.moveTo(x + 13, y + 6.5);
  ctx.lineTo(x + 16, y + 6.5);
  ctx.lineTo(x + 16, y + 9.5);
  ctx.moveTo(x + 16, y + 6.5);
  ctx.lineTo(x + 12.5, y + 10);
  ctx.moveTo(x + 9.5, y + 16);
  ctx.lineTo(x + 6.5, y + 16);
  ctx.lineTo(x + 6.5, y + 13);
  ctx.moveTo(x + 6.5, y + 16);
  ctx.lineTo(x + 10, y + 12.5);
  ctx.stroke();
};
