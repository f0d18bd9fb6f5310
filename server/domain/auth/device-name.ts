/** In this order: many programs name others that they are like. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (list: typeof programs, text: string): string | undefined => list.find(([form]) => form.test(text))?.[1];

/** In words that are ours: nothing of what a program says of itself is repeated. Empty when it is not known. */
export const deviceName = (userAgent: string | undefined): string => {
  const program = first(programs, userAgent ?? '');
  const system = first(systems, userAgent ?? '');
  return program === undefined || system === undefined ? (program ?? system ?? '') : `${program} on ${system}`;
};
