import { expect, test } from 'vitest';
import { chartColors, colorsOf } from './palette.ts';

type Triple = readonly [number, number, number];

const linear = (hex: string): Triple => {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};

/** Oklab: equal distances look equally different. */
const oklab = ([r, g, b]: Triple): Triple => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

// Machado, Oliveira and Fernandes 2009, for people who lack one kind of cone.
const eyes: Record<string, readonly [Triple, Triple, Triple]> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const seenBy = (rows: readonly [Triple, Triple, Triple], [r, g, b]: Triple): Triple => {
  const part = ([x, y, z]: Triple): number => Math.min(1, Math.max(0, x * r + y * g + z * b));
  return [part(rows[0]), part(rows[1]), part(rows[2])];
};

const apart = (one: Triple, other: Triple): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const backgrounds = { light: '#ffffff', dark: '#191b1a' } as const;

test.each(['light', 'dark'] as const)('in the %s theme all eyes tell the colours apart', (theme) => {
  const colors = Object.values(chartColors[theme]);
  const alike = Object.entries(eyes).flatMap(([eye, rows]) =>
    colors.flatMap((one, at) =>
      colors
        .slice(at + 1)
        .filter((other) => apart(oklab(seenBy(rows, linear(one))), oklab(seenBy(rows, linear(other)))) < 0.07)
        .map((other) => `${eye}: ${one} ${other}`),
    ),
  );
  expect(alike).toEqual([]);
});

test.each(['light', 'dark'] as const)('in the %s theme each colour stands out from the page', (theme) => {
  const behind = luminance(linear(backgrounds[theme]));
  expect(
    Object.entries(chartColors[theme]).filter(([, color]) => contrast(luminance(linear(color)), behind) < 2.7),
  ).toEqual([]);
});

test('the chosen colour comes first, and the others follow without repeating it', () => {
  const colors = colorsOf('light', 'purple');
  expect(colors[0]).toBe(chartColors.light.purple);
  expect(new Set(colors).size).toBe(8);
  expect(colorsOf('light', 'unheard of')[0]).toBe(chartColors.light.teal);
});
