// Text that has less room than it needs. A part of a number reads as another number, so there is none of it; other text ends where it is cut.
import { type BaseDrawArgs, measureTextCached, type Theme } from '@glideapps/glide-data-grid';

export type WidthOf = (text: string) => number;

export const fittedNumber = (text: string, room: number, widthOf: WidthOf): string => {
  if (text === '' || widthOf(text) <= room) return text;
  return '#'.repeat(Math.max(1, Math.min(text.length, Math.floor(room / Math.max(1, widthOf('#'))))));
};

export const fittedText = (text: string, room: number, widthOf: WidthOf): string => {
  if (widthOf(text) <= room) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(`${text.slice(0, middle)}…`) <= room) fits = middle;
    else tooLong = middle;
  }
  return `${text.slice(0, fits).trimEnd()}…`;
};

/** What is measured is drawn on one line; of a long text its beginning tells. */
const longest = 400;

export const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, longest);

export const roomOf = ({ rect, theme }: Pick<BaseDrawArgs, 'rect' | 'theme'>): number =>
  rect.width - 2 * theme.cellHorizontalPadding;

export const widthIn =
  (
    ctx: CanvasRenderingContext2D,
    theme: Pick<Theme, 'baseFontStyle' | 'fontFamily'> & { baseFontFull?: string },
  ): WidthOf =>
  (text) =>
    measureTextCached(text, ctx, theme.baseFontFull).width;
