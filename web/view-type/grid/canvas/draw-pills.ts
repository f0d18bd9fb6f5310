// Rounded labels on the canvas: choices of selects, people.
import { type BaseDrawArgs, measureTextCached, type Rectangle } from '@glideapps/glide-data-grid';
import { hereOf, hueOf, initialsOf } from '../../../ui/avatar.tsx';
import { firstLine, fittedText, widthIn } from './fitted-text.ts';

interface DrawnAvatar {
  name: string;
  seed: string;
  /** The initials without one, and until it is there. */
  picture: string | undefined;
}

export interface DrawnPill {
  text: string;
  background: string;
  color: string;
  /** Drawn as a small round picture before the text. */
  avatar?: DrawnAvatar;
}

const height = 22;
const gap = 5;
/** On both sides of the text, and with an ellipsis alone: that says that there is more. */
const [side, leastWidth] = [9, 26];

/** Where each of them stands: as many as there is room for, in at most so many rows. */
const placesOf = (
  widths: readonly number[],
  gaps: readonly number[],
  room: number,
  rows: number,
): { x: number; row: number }[] => {
  const places: { x: number; row: number }[] = [];
  let [x, row] = [0, 0];
  for (const [index, width] of widths.entries()) {
    if (x > 0 && x + width > room && row + 1 < rows) [x, row] = [0, row + 1];
    if (x > 0 && Math.min(width, leastWidth) > room - x) break;
    places.push({ x, row });
    x += width + (gaps[index] ?? gap);
  }
  return places;
};

const laidOut = (
  ctx: CanvasRenderingContext2D,
  rect: Pick<Rectangle, 'x' | 'y' | 'width' | 'height'>,
  theme: BaseDrawArgs['theme'],
  pills: readonly DrawnPill[],
) => {
  const left = rect.x + theme.cellHorizontalPadding;
  const right = rect.x + rect.width - theme.cellHorizontalPadding;
  const rows = Math.max(1, Math.floor((rect.height - 6) / (height + gap)));
  const widths = pills.map(({ text, avatar }) =>
    Math.min(
      measureTextCached(firstLine(text), ctx, theme.baseFontFull).width + (avatar === undefined ? side : height) + side,
      right - left,
    ),
  );
  const places = placesOf(
    widths,
    pills.map(({ avatar }) => gap + (avatar === undefined ? 0 : 4)),
    right - left,
    rows,
  );
  const used = (places.at(-1)?.row ?? 0) + 1;
  // In the middle, as the text of the cells beside it.
  const top = rect.y + (rect.height - used * height - (used - 1) * gap) / 2;
  return {
    widths: places.map(({ x }, index) => Math.min(widths[index] as number, right - left - x)),
    places: places.map(({ x, row }) => ({ x: left + x, y: top + row * (height + gap) })),
  };
};

let measuring: CanvasRenderingContext2D | null | undefined;

/** Which of them is at this place of the cell. */
export const pillAt = (
  x: number,
  y: number,
  cell: Pick<Rectangle, 'width' | 'height'>,
  theme: BaseDrawArgs['theme'],
  pills: readonly DrawnPill[],
): number | undefined => {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) return undefined;
  measuring.font = theme.baseFontFull;
  const { places, widths } = laidOut(measuring, { x: 0, y: 0, width: cell.width, height: cell.height }, theme, pills);
  const found = places.findIndex(
    (place, at) => x >= place.x && x <= place.x + (widths[at] as number) && y >= place.y && y <= place.y + height,
  );
  return found < 0 ? undefined : found;
};

export const drawPills = (
  { ctx, rect, theme, imageLoader, col, row }: BaseDrawArgs,
  pills: readonly DrawnPill[],
): void => {
  const { places, widths } = laidOut(ctx, rect, theme, pills);
  ctx.save();
  ctx.beginPath();
  ctx.rect(rect.x, rect.y, rect.width, rect.height);
  ctx.clip();
  ctx.textBaseline = 'middle';
  for (const [index, place] of places.entries()) {
    const pill = pills[index] as DrawnPill;
    const width = widths[index] as number;
    const lead = pill.avatar === undefined ? side : height + 4;
    const { x, y } = place;
    ctx.fillStyle = pill.background;
    ctx.beginPath();
    ctx.roundRect(x, y, width, height, height / 2);
    ctx.fill();
    const picture =
      pill.avatar?.picture === undefined
        ? undefined
        : imageLoader.loadOrGetImage(hereOf(pill.avatar.picture), col, row);
    if (picture !== undefined) drawPicture(ctx, picture, x + height / 2, y + height / 2);
    else if (pill.avatar !== undefined) drawAvatar(ctx, pill.avatar, x + height / 2, y + height / 2, theme.fontFamily);
    ctx.font = theme.baseFontFull;
    ctx.textAlign = 'left';
    ctx.fillStyle = pill.color;
    // A part of "Invoice 147" reads as another one.
    const text = fittedText(firstLine(pill.text), width - lead - 5, widthIn(ctx, theme));
    ctx.fillText(text, x + lead, y + height / 2 + 1);
  }
  ctx.restore();
};

/** The middle of it, as a circle. */
const drawPicture = (
  ctx: CanvasRenderingContext2D,
  picture: HTMLImageElement | ImageBitmap,
  x: number,
  y: number,
): void => {
  const side = Math.min(picture.width, picture.height);
  const radius = height / 2 - 1;
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.clip();
  ctx.drawImage(
    picture,
    (picture.width - side) / 2,
    (picture.height - side) / 2,
    side,
    side,
    x - radius,
    y - radius,
    2 * radius,
    2 * radius,
  );
  ctx.restore();
};

const drawAvatar = (
  ctx: CanvasRenderingContext2D,
  { name, seed }: Pick<DrawnAvatar, 'name' | 'seed'>,
  x: number,
  y: number,
  fontFamily: string,
): void => {
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
