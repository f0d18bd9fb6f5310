// The 50 named colours of choices: ten hues in five strengths.
const hues: Record<string, number> = {
  blue: 255,
  cyan: 215,
  gray: 0,
  green: 150,
  orange: 55,
  pink: 350,
  purple: 300,
  red: 25,
  teal: 185,
  yellow: 95,
};

interface Strength {
  background: [lightness: number, chroma: number];
  text: [lightness: number, chroma: number];
}

const strengths: Record<string, Strength> = {
  Light2: { background: [0.95, 0.03], text: [0.38, 0.09] },
  Light1: { background: [0.9, 0.06], text: [0.34, 0.09] },
  Bright: { background: [0.84, 0.1], text: [0.28, 0.08] },
  '': { background: [0.52, 0.13], text: [0.99, 0.01] },
  Dark1: { background: [0.4, 0.1], text: [0.98, 0.02] },
};

interface ChoiceColor {
  background: string;
  text: string;
}

const known = new Map<string, ChoiceColor>();

export const choiceColor = (name: string): ChoiceColor => {
  let color = known.get(name);
  if (color === undefined) {
    const [, hueName = 'gray', strengthName = 'Light1'] = /^([a-z]+)(Light2|Light1|Bright|Dark1|)$/.exec(name) ?? [];
    const strength = strengths[strengthName] as Strength;
    const paint = ([lightness, chroma]: [number, number]): string =>
      `oklch(${lightness} ${hueName === 'gray' ? 0.005 : chroma} ${hues[hueName] ?? 0})`;
    color = { background: paint(strength.background), text: paint(strength.text) };
    known.set(name, color);
  }
  return color;
};
