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
