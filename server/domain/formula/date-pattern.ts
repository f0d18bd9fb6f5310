// Formats of dates as people know them (YYYY-MM-DD) → patterns of to_char. rowhouse.format_date reads the same tokens one
// by one, for formats that come from a field and for tokens that to_char does not have.

const tokens: Record<string, string> = {
  YYYY: 'YYYY',
  YY: 'YY',
  M: 'FMMM',
  MM: 'MM',
  MMM: 'Mon',
  MMMM: 'FMMonth',
  D: 'FMDD',
  DD: 'DD',
  ddd: 'Dy',
  dddd: 'FMDay',
  H: 'FMHH24',
  HH: 'HH24',
  h: 'FMHH12',
  hh: 'HH12',
  m: 'FMMI',
  mm: 'MI',
  s: 'FMSS',
  ss: 'SS',
  SSS: 'MS',
  A: 'AM',
  a: 'am',
};

const form = /\[[^\]]*\]|Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|ZZ?|A|a/g;

const quoted = (text: string): string => (text === '' ? '' : `"${text.replace(/["\\]/g, '\\$&')}"`);

/** undefined when to_char cannot do it. */
export const toCharPattern = (format: string): string | undefined => {
  if (format === '' || format.length > 200) return undefined;
  let pattern = '';
  let end = 0;
  for (const match of format.matchAll(form)) {
    const token = match[0].startsWith('[') ? quoted(match[0].slice(1, -1)) : tokens[match[0]];
    if (token === undefined) return undefined;
    pattern += quoted(format.slice(end, match.index)) + token;
    end = match.index + match[0].length;
  }
  return pattern + quoted(format.slice(end));
};
