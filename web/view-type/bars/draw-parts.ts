// What everything on the canvas of bars is drawn with: colours of the app as they are now, text that fits, corners.
const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const barTheme = () => ({
  surface: variable('--surface'),
  free: variable('--canvas'),
  sunken: variable('--sunken'),
  line: variable('--line'),
  lineStrong: variable('--line-strong'),
  rowLine: variable('--canvas'),
  ink: variable('--ink'),
  inkSoft: variable('--ink-soft'),
  inkFaint: variable('--ink-faint'),
  accent: variable('--accent'),
  accentSoft: variable('--accent-soft'),
  target: variable('--accent-soft'),
  edge: variable('--accent'),
  danger: variable('--danger'),
  warn: variable('--warn'),
  font: variable('--font-sans') || 'system-ui, sans-serif',
});

export type BarTheme = ReturnType<typeof barTheme>;

const fitted = new Map<string, { text: string; width: number }>();
const mostFitted = 5_000;

const fit = (pen: CanvasRenderingContext2D, text: string, room: number): { text: string; width: number } => {
  const key = `${pen.font} ${Math.floor(room)} ${text}`;
  let found = fitted.get(key);
  if (found !== undefined) return found;
  const width = pen.measureText(text).width;
  found = { text, width };
  if (width > room) {
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
      else high = middle - 1;
    }
    const cut = `${text.slice(0, low).trimEnd()}…`;
    found = low === 0 ? { text: '', width: 0 } : { text: cut, width: pen.measureText(cut).width };
  }
  if (fitted.size >= mostFitted) fitted.clear();
  fitted.set(key, found);
  return found;
};

/** As much of the text as there is room for; answers where it ends. With a `halo` it can be read above lines. */
export const drawText = (
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  room: number,
  color: string,
  halo?: string,
): number => {
  if (room < 10) return x;
  const shown = fit(pen, text.length > 500 ? text.slice(0, 500) : text, room);
  if (halo !== undefined) {
    pen.lineWidth = 4;
    pen.lineJoin = 'round';
    pen.strokeStyle = halo;
    pen.strokeText(shown.text, x, y + 0.5);
  }
  pen.fillStyle = color;
  pen.fillText(shown.text, x, y + 0.5);
  return x + shown.width;
};

export const rounded = (
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): void => {
  pen.beginPath();
  pen.roundRect(x, y, Math.max(0, width), height, Math.min(radius, Math.max(0, width) / 2));
};
