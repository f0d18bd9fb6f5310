// Parts of words, as numbers: three letters that follow each other, and two of a script that writes words with one or two. What is compared here is coarser than what
// a search compares (case, accents and more are left out, letter by letter), so whatever a search finds has all the parts of what was searched for.
import { foldText } from '@rowhouse/contract/fold.ts';

/** Letters of a text, each as its code; those that no comparison looks at are left out. */
export type Letters = readonly number[];

const only = (text: string): number | undefined => {
  const code = text.codePointAt(0);
  return code !== undefined && String.fromCodePoint(code).length === text.length ? code : undefined;
};

/** One letter for all that some comparison may take for the same; 0 for what is left out. */
export const foldLetter = (code: number): number => {
  const letter = String.fromCodePoint(code);
  const folded = foldText(letter);
  if (folded === '') return 0;
  const plain = only(folded);
  // One letter that folds to several, such as a ligature, is only ever found as it is.
  if (plain === undefined) return only(letter.toLowerCase()) ?? code;
  const upper = only(folded.toUpperCase());
  return upper === undefined ? plain : (only(foldText(String.fromCodePoint(upper))) ?? plain);
};

/** `more`: letters that the database has another lower case for. */
export const createFold = (more: ReadonlyMap<number, number> = new Map()): ((text: string) => Letters) => {
  const known = new Map<number, number>(more);
  const ascii = Array.from({ length: 128 }, (_, code) => known.get(code) ?? foldLetter(code));
  return (text) => {
    const letters: number[] = [];
    for (let at = 0; at < text.length; at += 1) {
      let code = text.charCodeAt(at);
      if (code < 128) {
        letters.push(ascii[code] as number);
        continue;
      }
      code = text.codePointAt(at) as number;
      if (code > 0xffff) at += 1;
      let folded = known.get(code);
      if (folded === undefined) {
        folded = foldLetter(code);
        known.set(code, folded);
      }
      if (folded !== 0) letters.push(folded);
    }
    return letters;
  };
};

const number = (first: number, second: number, third: number): number => {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  return mixed === 0 ? 1 : mixed | 0;
};

/** Chinese, Japanese, Korean. */
const isDense = (code: number): boolean => code >= 0x2e80;

/** No part of a word: of records that have more of them than can be kept. They are looked at by every search. */
export const anyGram = 0;

export const addGrams = (letters: Letters, grams: Set<number>): void => {
  for (let at = 0; at + 1 < letters.length; at += 1) {
    const [first, second, third] = [letters[at] as number, letters[at + 1] as number, letters[at + 2]];
    if (third !== undefined) grams.add(number(first, second, third));
    if (isDense(first) && isDense(second)) grams.add(number(first, second, -1));
  }
};

/** More would hardly leave out more. */
const most = 24;

/** What a record has all of if its text holds this one; null when the text is too short to say. */
export const gramsWithin = (letters: Letters): number[] | null => {
  const grams = new Set<number>();
  if (letters.length === 2) addGrams(letters, grams);
  for (let at = 0; at + 2 < letters.length && grams.size < most; at += 1)
    grams.add(number(letters[at] as number, letters[at + 1] as number, letters[at + 2] as number));
  return grams.size === 0 ? null : [...grams];
};
