// The colours of charts. palette.test.ts sees to it that people who see fewer colours tell them apart, and that each stands out from
// what is behind it.
import type { Theme } from '../ui/theme.ts';

export const chartColorNames = ['teal', 'amber', 'blue', 'red', 'purple', 'orchid', 'deep', 'brown'] as const;
type ChartColorName = (typeof chartColorNames)[number];

/** By the name that is stored: the same colour reads differently on white and on black. */
export const chartColors: Record<Theme, Record<ChartColorName, string>> = {
  light: {
    teal: '#12806d',
    amber: '#c9930a',
    blue: '#2f7de1',
    red: '#c23a2b',
    purple: '#7b3fa6',
    orchid: '#d45aa0',
    deep: '#22346f',
    brown: '#6b2410',
  },
  dark: {
    teal: '#34c3a9',
    amber: '#f2c14e',
    blue: '#5d8ff0',
    red: '#f57f56',
    purple: '#a250bf',
    orchid: '#c9ccff',
    deep: '#3b7c70',
    brown: '#b5521c',
  },
};

/** Of heat maps: from hardly any to most. */
export const heatColors: Record<Theme, readonly string[]> = {
  light: ['#eef6f3', '#bfe0d6', '#7dbfad', '#2f9580', '#0a5b4d'],
  dark: ['#1f2926', '#1f4a40', '#27766a', '#35a893', '#8fe6d3'],
};

/** In their order, and then again from the beginning. `first`: the one that somebody has chosen. */
export const colorsOf = (theme: Theme, first: string | undefined): string[] => {
  const start = Math.max(0, (chartColorNames as readonly string[]).indexOf(first ?? ''));
  return chartColorNames.map(
    (_name, at) => chartColors[theme][chartColorNames[(start + at) % chartColorNames.length] as ChartColorName],
  );
};
