// The small button in the first cell of a row that opens the record. It is drawn while the mouse is over the cell, and
// only a click on what is drawn opens.
import type { Rectangle, Theme } from '@glideapps/glide-data-grid';

const size = 22;
const margin = 5;

/** Its place in the cell. */
const buttonIn = ({ width, height }: Pick<Rectangle, 'width' | 'height'>): { x: number; y: number } => ({
  x: width - size - margin,
  y: (height - size) / 2,
});

/** Where a click is, measured from the corner of its cell. */
export interface PlaceInCell {
  localEventX: number;
  localEventY: number;
  bounds: Pick<Rectangle, 'width' | 'height'>;
}

export const isOnOpenButton = ({ localEventX: x, localEventY: y, bounds }: PlaceInCell): boolean => {
  const button = buttonIn(bounds);
  return x >= button.x && x <= button.x + size && y >= button.y && y <= button.y + size;
};

export const drawOpenButton = (
  ctx: CanvasRenderingContext2D,
  rect: Rectangle,
  theme: Theme,
  hoverX: number | undefined,
): void => {
  const button = buttonIn(rect);
  const x = rect.x + button.x;
  const y = rect.y + button.y;
  const isOver = hoverX !== undefined && hoverX >= button.x && hoverX <= button.x + size;
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
