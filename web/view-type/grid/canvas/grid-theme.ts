// The grid draws on a canvas, so it cannot use style sheets: it is given the app's colours as they are now.
import type { Theme } from '@glideapps/glide-data-grid';

/** A colour of the page as it is now. */
export const variable = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const gridTheme = (): Partial<Theme> => ({
  accentColor: variable('--accent'),
  accentFg: variable('--accent-ink'),
  accentLight: variable('--accent-soft'),
  textDark: variable('--ink'),
  textMedium: variable('--ink-soft'),
  textLight: variable('--ink-faint'),
  textBubble: variable('--ink'),
  bgIconHeader: variable('--ink-faint'),
  fgIconHeader: variable('--surface'),
  textHeader: variable('--ink-soft'),
  textHeaderSelected: variable('--accent-ink'),
  bgCell: variable('--surface'),
  bgCellMedium: variable('--canvas'),
  bgHeader: variable('--canvas'),
  bgHeaderHasFocus: variable('--sunken'),
  bgHeaderHovered: variable('--sunken'),
  bgBubble: variable('--line'),
  bgBubbleSelected: variable('--surface'),
  bgSearchResult: variable('--warn-soft'),
  borderColor: variable('--line'),
  horizontalBorderColor: variable('--line'),
  drilldownBorder: variable('--line'),
  linkColor: variable('--accent'),
  cellHorizontalPadding: 10,
  cellVerticalPadding: 4,
  headerFontStyle: '500 13px',
  baseFontStyle: '13px',
  markerFontStyle: '11px',
  editorFontSize: '13px',
  headerIconSize: 17,
  fontFamily: variable('--font-sans') || 'system-ui, sans-serif',
  lineHeight: 1.4,
  roundingRadius: 6,
});
