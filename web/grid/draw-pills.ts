// Rounded labels on the canvas: choices of selects, people.
import { type BaseDrawArgs, measureTextCached } from '@glideapps/glide-data-grid';
import { hueOf, initialsOf } from '../ui/avatar.tsx';

export interface DrawnPill {
  text: string;
  background: string;
  color: string;
  /** Drawn as a small round picture before the text. */
  avatar?: { name: string; seed: string };
}

const height = 22;
const gap = 5;

export const drawPills = ({ ctx, rect, theme }: BaseDrawArgs, pills: readonly DrawnPill[]): void => {
  const left = rect.x + theme.cellHorizontalPadding;
  const right = rect.x + rect.width - theme.cellHorizontalPadding;
  const rows = Math.max(1, Math.floor((rect.height - 6) / (height + gap)));
  const used = Math.min(rows, pills.length);
  const top = rows === 1 ? rect.y + (rect.height - height) / 2 : rect.y + 6;
  let x = left;
  let row = 0;
  ctx.save();
  ctx.beginPath();
  ctx.rect(rect.x, rect.y, rect.width, rect.height);
  ctx.clip();
  ctx.textBaseline = 'middle';
  for (const pill of pills) {
    const lead = pill.avatar === undefined ? 9 : height;
    const width = Math.min(measureTextCached(pill.text, ctx, theme.baseFontFull).width + lead + 9, right - left);
    if (x > left && x + width > right && row + 1 < used) {
      row += 1;
      x = left;
    }
    if (x >= right) break;
    const y = top + row * (height + gap);
    ctx.fillStyle = pill.background;
    ctx.beginPath();
    ctx.roundRect(x, y, width, height, height / 2);
    ctx.fill();
    if (pill.avatar !== undefined) drawAvatar(ctx, pill.avatar, x + height / 2, y + height / 2, theme.fontFamily);
    ctx.font = theme.baseFontFull;
    ctx.textAlign = 'left';
    ctx.fillStyle = pill.color;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, width - 6, height);
    ctx.clip();
    ctx.fillText(pill.text, x + (pill.avatar === undefined ? lead : lead + 4), y + height / 2 + 1);
    ctx.restore();
    x += width + gap + (pill.avatar === undefined ? 0 : 4);
  }
  ctx.restore();
};

const drawAvatar = (ctx: CanvasRenderingContext2D, { name, seed }: { name: string; seed: string }, x: number, y: number, fontFamily: string): void => {
  const hue = hueOf(seed);
  ctx.fillStyle = `oklch(0.88 0.07 ${hue})`;
  ctx.beginPath();
  ctx.arc(x, y, height / 2 - 1, 0, Math.PI * 2);
  ctx.fill();
  ctx.fillStyle = `oklch(0.34 0.09 ${hue})`;
  ctx.font = `600 9px ${fontFamily}`;
  ctx.textAlign = 'center';
  ctx.fillText(initialsOf(name), x, y + 0.5);
};
