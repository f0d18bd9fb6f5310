// What charts take from the page around them: its colours and its font.
import type { Theme } from '../ui/theme.ts';
import { colorsOf, heatColors } from './palette.ts';

export interface ChartLook {
  ink: string;
  inkSoft: string;
  line: string;
  surface: string;
  colors: readonly string[];
  heat: readonly string[];
  font: string;
  /** Of the picture. */
  width: number;
  /** People have asked their system for less motion. */
  isStill: boolean;
}

const page = (): CSSStyleDeclaration => getComputedStyle(document.documentElement);

export const chartLook = (theme: Theme, width: number, color: string | undefined): ChartLook => {
  const style = page();
  const named = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: named('ink'),
    inkSoft: named('ink-soft'),
    line: named('line'),
    surface: named('surface'),
    colors: colorsOf(theme, color),
    heat: heatColors[theme],
    font: getComputedStyle(document.body).fontFamily,
    width,
    isStill: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
};
