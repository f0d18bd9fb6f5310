import type { BaseDrawArgs, Theme } from '@glideapps/glide-data-grid';

const size = 15;
const gap = 3;

const starPath = (centreX: number, centreY: number): Path2D => {
  const path = new Path2D();
  for (let point = 0; point < 10; point += 1) {
    const radius = point % 2 === 0 ? size / 2 : size / 4.4;
    const angle = (Math.PI / 5) * point - Math.PI / 2;
    const x = centreX + radius * Math.cos(angle);
    const y = centreY + radius * Math.sin(angle);
    if (point === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
  return path;
};

export const drawStars = ({ ctx, rect, theme, hoverAmount }: BaseDrawArgs, stars: number, max: number): void => {
  const middle = rect.y + rect.height / 2;
  const shown = hoverAmount > 0 ? max : stars;
  for (let index = 0; index < shown; index += 1) {
    const path = starPath(rect.x + theme.cellHorizontalPadding + index * (size + gap) + size / 2, middle);
    ctx.fillStyle = index < stars ? '#e0a100' : theme.borderColor;
    ctx.fill(path);
  }
};

/** Which star is at this place of the cell; undefined beside them. */
export const starAt = (x: number, max: number, theme: Theme): number | undefined => {
  const index = Math.floor((x - theme.cellHorizontalPadding) / (size + gap));
  return index >= 0 && index < max ? index + 1 : undefined;
};
