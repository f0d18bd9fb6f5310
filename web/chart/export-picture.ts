// A chart as a picture to be sent on: drawn once more, with its title, on white or on black as on the screen.
import type { Theme } from '../ui/theme.ts';
import { chartLook } from './chart-look.ts';
import { type Axes, optionOf } from './chart-option.ts';
import type { Drawing } from './drawing.ts';
import { startChart } from './library.ts';

const width = 1_000;
const height = 600;
const titleHeight = 56;

/** A PNG. */
export const pictureOf = async (
  drawing: Drawing,
  axes: Axes,
  theme: Theme,
  color: string | undefined,
): Promise<Blob> => {
  const place = document.createElement('div');
  place.style.cssText = `position:fixed;left:-9999px;top:0;width:${width}px;height:${height}px`;
  document.body.append(place);
  const picture = startChart(place, undefined, { devicePixelRatio: 2, width, height: height - titleHeight });
  try {
    const look = chartLook(theme, width, color);
    picture.setOption({
      ...optionOf(drawing, { ...look, isStill: true }, axes),
      animation: false,
      tooltip: { show: false },
    });
    const chart = picture.renderToCanvas({ pixelRatio: 2, backgroundColor: look.surface });
    const canvas = document.createElement('canvas');
    canvas.width = width * 2;
    canvas.height = height * 2;
    const draw = canvas.getContext('2d') as CanvasRenderingContext2D;
    draw.fillStyle = look.surface;
    draw.fillRect(0, 0, canvas.width, canvas.height);
    draw.fillStyle = look.ink;
    draw.font = `600 40px ${look.font}`;
    draw.fillText(drawing.title, 32, 68, canvas.width - 64);
    draw.drawImage(chart, 0, titleHeight * 2);
    return await new Promise((done, fail) =>
      canvas.toBlob((blob) => (blob === null ? fail(new Error('The picture was not made')) : done(blob)), 'image/png'),
    );
  } finally {
    picture.dispose();
    place.remove();
  }
};
