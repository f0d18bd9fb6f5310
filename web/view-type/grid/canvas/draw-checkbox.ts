import type { BaseDrawArgs, Rectangle } from '@glideapps/glide-data-grid';

const size = 17;

export const checkboxWidth = size;

const boxIn = ({ x, y, width, height }: Pick<Rectangle, 'x' | 'y' | 'width' | 'height'>): { x: number; y: number } => ({
  x: x + (width - size) / 2,
  y: y + (height - size) / 2,
});

/** A tick that is seen at a glance: filled when it is set, an outline when it is not. */
export const drawCheckbox = ({ ctx, rect, theme }: BaseDrawArgs, isChecked: boolean, isReadonly: boolean): void => {
  const { x, y } = boxIn(rect);
  ctx.save();
  if (isReadonly) ctx.globalAlpha = 0.6;
  ctx.beginPath();
  ctx.roundRect(x + 0.5, y + 0.5, size - 1, size - 1, 4);
  if (isChecked) {
    ctx.fillStyle = theme.accentColor;
    ctx.fill();
    ctx.beginPath();
    ctx.moveTo(x + 4.5, y + 9);
    ctx.lineTo(x + 7.5, y + 12);
    ctx.lineTo(x + 12.5, y + 5.5);
    ctx.strokeStyle = theme.accentFg;
    ctx.lineWidth = 1.9;
    ctx.lineCap = 'round';
    ctx.lineJoin = 'round';
  } else {
    ctx.strokeStyle = theme.textLight;
    ctx.lineWidth = 1.2;
  }
  ctx.stroke();
  ctx.restore();
};

/** Whether this place of the cell, measured from its corner, is on the box; a little beside it counts. */
export const isOnCheckbox = (
  posX: number,
  posY: number,
  { width, height }: Pick<Rectangle, 'width' | 'height'>,
): boolean => {
  const { x, y } = boxIn({ x: 0, y: 0, width, height });
  const near = 4;
  return posX >= x - near && posX <= x + size + near && posY >= y - near && posY <= y + size + near;
};
