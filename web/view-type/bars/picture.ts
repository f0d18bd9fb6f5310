// What a view of bars shows, as a picture: all of its time, at the scale that is on the screen, as long as a picture can be that large.
import { headerHeight } from './draw-arrows.ts';
import { drawScene, type Scene } from './draw.ts';
import { rowHeight } from './rows.ts';
import type { Span } from './schedule.ts';

const widest = 12_000;
const mostRows = 300;
const sharp = 2;
const mostPixels = 60_000_000;

interface PictureSize {
  width: number;
  height: number;
  msPerPx: number;
  rows: number;
  ratio: number;
}

/** Time that is longer than a picture is drawn at a smaller scale; rows beyond the most are left out. */
export const pictureSize = (extent: Span, msPerPx: number, rows: number, side: number): PictureSize => {
  const length = extent.end - extent.start;
  const wide = Math.min(widest - side, Math.max(600, Math.ceil(length / msPerPx)));
  const shown = Math.min(rows, mostRows);
  const [width, height] = [side + wide, headerHeight + shown * rowHeight + 8];
  return {
    width,
    height,
    msPerPx: Math.max(msPerPx, length / wide),
    rows: shown,
    ratio: width * height * sharp * sharp > mostPixels ? 1 : sharp,
  };
};

/** Answers how many rows had no room. */
export const savePicture = async (
  name: string,
  scene: Scene,
  extent: Span,
  { msPerPx, side }: { msPerPx: number; side: number },
): Promise<number> => {
  const margin = (extent.end - extent.start) * 0.02 + 40 * msPerPx;
  const all = { start: extent.start - margin, end: extent.end + margin };
  const size = pictureSize(all, msPerPx, scene.rows.length, side);
  const canvas = document.createElement('canvas');
  canvas.width = size.width * size.ratio;
  canvas.height = size.height * size.ratio;
  const pen = canvas.getContext('2d', { alpha: false });
  if (pen === null) throw new Error('This browser cannot draw the picture');
  pen.scale(size.ratio, size.ratio);
  drawScene(
    pen,
    { ...scene, rows: scene.rows.slice(0, size.rows) },
    { origin: all.start, msPerPx: size.msPerPx, top: 0, width: size.width, height: size.height, side },
  );
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large for this browser');
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: `${name}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return scene.rows.length - size.rows;
};
