// The files of a cell: pictures as large as the row allows, others by their names.
import { type BaseDrawArgs, measureTextCached } from '@glideapps/glide-data-grid';
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import { pathOf } from '../../../field-type/cell/cell-parts.ts';
import type { WidthOf } from './fitted-text.ts';

/** The height of the small pictures that the server makes. */
const smallHeight = 56;
const margin = 5;
const gap = 5;
const pillHeight = 22;
const pillPadding = 9;
const longestPill = 160;
/** Less of a file is not worth showing. */
const narrowest = 12;

const heightIn = (rowHeight: number): number => Math.max(pillHeight, rowHeight - 2 * margin);

/** As wide as it is drawn high, within limits: a panorama leaves room for others. */
const pictureWidth = ({ width, height }: Attachment, drawnHeight: number): number =>
  width === undefined || height === undefined || height === 0
    ? drawnHeight
    : drawnHeight * Math.min(2, Math.max(0.5, width / height));

/** The one that is sharp at this height. From this server, by whatever name it is reached. */
const pictureFor = (
  { smThumbnailUrl, lgThumbnailUrl }: Attachment,
  drawnHeight: number,
  pixelRatio: number,
): string | undefined => {
  const url = drawnHeight * pixelRatio > smallHeight ? (lgThumbnailUrl ?? smThumbnailUrl) : smThumbnailUrl;
  return url === undefined ? undefined : pathOf(url);
};

const widthOfFile = (file: Attachment, drawnHeight: number, widthOf: WidthOf): number =>
  file.smThumbnailUrl === undefined
    ? Math.min(longestPill, widthOf(file.name) + 2 * pillPadding)
    : pictureWidth(file, drawnHeight);

export const filesWidth = (files: readonly Attachment[], rowHeight: number, widthOf: WidthOf): number =>
  files.reduce((sum, file) => sum + widthOfFile(file, heightIn(rowHeight), widthOf) + gap, -gap);

/** The middle of a picture that fills the place. */
const drawPicture = (
  ctx: CanvasRenderingContext2D,
  picture: HTMLImageElement | ImageBitmap,
  x: number,
  y: number,
  width: number,
  height: number,
): void => {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [width / scale, height / scale];
  ctx.drawImage(picture, (picture.width - w) / 2, (picture.height - h) / 2, w, h, x, y, width, height);
};

export const drawFiles = (
  { ctx, rect, theme, imageLoader, col, row }: BaseDrawArgs,
  files: readonly Attachment[],
): void => {
  const height = heightIn(rect.height);
  const end = rect.x + rect.width - theme.cellHorizontalPadding;
  const widthOf: WidthOf = (text) => measureTextCached(text, ctx, theme.baseFontFull).width;
  let x = rect.x + theme.cellHorizontalPadding;
  ctx.save();
  ctx.beginPath();
  ctx.rect(rect.x, rect.y, rect.width, rect.height);
  ctx.clip();
  ctx.textBaseline = 'middle';
  for (const file of files) {
    if (end - x < narrowest) break;
    const address = pictureFor(file, height, window.devicePixelRatio);
    const width = Math.min(widthOfFile(file, height, widthOf), end - x);
    const drawnHeight = address === undefined ? pillHeight : height;
    const y = rect.y + (rect.height - drawnHeight) / 2;
    ctx.save();
    ctx.beginPath();
    ctx.roundRect(x, y, width, drawnHeight, address === undefined ? pillHeight / 2 : 4);
    ctx.fillStyle = theme.bgBubble;
    ctx.fill();
    ctx.clip();
    const picture = address === undefined ? undefined : imageLoader.loadOrGetImage(address, col, row);
    if (picture !== undefined) drawPicture(ctx, picture, x, y, width, drawnHeight);
    if (address === undefined) {
      ctx.font = theme.baseFontFull;
      ctx.textAlign = 'left';
      ctx.fillStyle = theme.textDark;
      ctx.fillText(file.name, x + pillPadding, y + drawnHeight / 2 + 1);
    }
    ctx.restore();
    x += width + gap;
  }
  ctx.restore();
};
