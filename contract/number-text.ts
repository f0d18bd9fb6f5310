// Numbers as people in much of the world write them: with a comma before the fraction. Read as a separator of thousands, that comma makes 12,50 a hundred times as much.

/** Thousands by points, spaces or apostrophes, then a comma: 1.234,50. */
const groupedThenComma = /(\d{1,3})((?:[.'\u2019\s]\d{3})+),(\d+)(?![.,']?\d)/y;
/** Nothing between thousands, then a comma: 12,5. */
const comma = /(\d+),(\d+)(?![.,']?\d)/y;
/** One point would stand before a fraction; several cannot. */
const groupedByPoints = /\d{1,3}(?:\.\d{3}){2,}(?![.,']?\d)/y;

const matchAt = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

/**
 * The number at a place of a text, where it cannot be meant with commas between thousands and a point before the fraction: "12,5", "0,125", "1.234,50", "1 234,50", "1.234.567".
 * `undefined` for all others, "1,234" and "1.234" too. One attempt, in time in proportion to the text.
 */
export const readDecimalComma = (text: string, from = 0): { digits: string; length: number } | undefined => {
  const grouped = matchAt(groupedThenComma, text, from);
  if (grouped !== null)
    return {
      digits: `${grouped[1]}${(grouped[2] as string).replace(/\D/g, '')}.${grouped[3]}`,
      length: grouped[0].length,
    };
  const plain = matchAt(comma, text, from);
  if (plain !== null) {
    const [whole, fraction] = [plain[1] as string, plain[2] as string];
    return fraction.length === 3 && whole.length <= 3 && !whole.startsWith('0')
      ? undefined
      : { digits: `${whole}.${fraction}`, length: plain[0].length };
  }
  const points = matchAt(groupedByPoints, text, from);
  return points === null ? undefined : { digits: points[0].replaceAll('.', ''), length: points[0].length };
};

export type DecimalSign = ',' | '.';

/** A number alone, with signs of currency or percent around it at most. */
const numberAlone = /^[^\d.,\p{L}]*\p{Sc}?\s*(\d[\d.,'\u2019\u00a0\u202f ]*)(?:\s*(?:\p{Sc}|%|[A-Z]{3}))?\)?$/u;
/** Certain: 0.5, 12.34, 1,234.5, 1,234,567. With three digits behind the only point it may be either. */
const isPoint = (digits: string): boolean =>
  /^\d{1,3}(,\d{3}){2,}$/.test(digits) ||
  /^\d{1,3}(,\d{3})+\.\d+$/.test(digits) ||
  (/^\d+\.\d+$/.test(digits) && !/^[1-9]\d{0,2}\.\d{3}$/.test(digits));

/** Which sign stands before the fraction, by all numbers of a column; undefined when they do not tell, or contradict each other. */
export const decimalSignOf = (texts: Iterable<string>): DecimalSign | undefined => {
  let [comma, point] = [false, false];
  for (const text of texts) {
    const digits = text.length > 60 ? undefined : numberAlone.exec(text.trim())?.[1]?.trim();
    if (digits === undefined) continue;
    if (readDecimalComma(digits)?.length === digits.length) comma = true;
    else if (isPoint(digits)) point = true;
  }
  return comma === point ? undefined : comma ? ',' : '.';
};

/** The same number with a point before the fraction and nothing between thousands: in a column with commas "1.000" is a thousand. */
export const withDecimalPoint = (text: string, sign: DecimalSign | undefined): string => {
  if (sign !== ',' || text.length > 60) return text;
  const digits = numberAlone.exec(text.trim())?.[1]?.trim();
  if (digits === undefined || !/^\d{1,3}([.'\u2019\u00a0\u202f ]\d{3})*(,\d+)?$|^\d+(,\d+)?$/.test(digits)) return text;
  return text.replace(digits, digits.replace(/[^\d,]/g, '').replace(',', '.'));
};
