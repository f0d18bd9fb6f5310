// A regular expression of PostgreSQL that finds a text whatever its case and accents, as contract/fold.ts compares. The text is spread out, not the cells: to take the
// accents off a cell (`normalize`) costs PostgreSQL ten times as much as to look for a pattern in it.
import { accents, foldText } from '@rowhouse/contract/fold.ts';

/** Where the letters are that fold to another one: Latin, Greek, Cyrillic, spaces and signs, full width. */
const ranges: readonly [from: number, to: number][] = [
  [0x80, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
  [0x2000, 0x214f],
  [0xff01, 0xff5e],
];

let known: ReadonlyMap<string, string> | undefined;

const variants = (): ReadonlyMap<string, string> => {
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  for (const [from, to] of ranges)
    for (let code = from; code <= to; code += 1) {
      const letter = String.fromCharCode(code);
      const folded = foldText(letter);
      if (folded !== '' && folded !== letter) found.set(folded, (found.get(folded) ?? '') + letter);
    }
  known = found;
  return found;
};

const longest = 60;

/** Null for a text that is too long, or accents alone: it is looked for as it is. */
export const loosePattern = (text: string): string | null => {
  const letters = Array.from(foldText(text));
  if (letters.length === 0 || letters.length > longest) return null;
  const oneOf = (letter: string): string => {
    const all = new Set([letter, ...Array.from(variants().get(letter) ?? '')]);
    const upper = letter.toUpperCase();
    if (Array.from(upper).length === 1) all.add(upper);
    return `[${[...all].map((one) => (/[\]\\^[-]/.test(one) ? `\\${one}` : one)).join('')}]`;
  };
  return letters.map((letter) => `${oneOf(letter)}${accents}*`).join('');
};
