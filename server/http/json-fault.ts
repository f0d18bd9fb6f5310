// Where a text stops being JSON. Only for texts that JSON.parse has refused: its own messages do not always say.

const quote = 34;
const backslash = 92;
const [comma, openList, openObject] = [44, 91, 123];
/** Of the character there; NaN at the end, which is in no range. */
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHex = (char: string | undefined): boolean => char !== undefined && /^[0-9a-fA-F]$/.test(char);

/** Thrown at the place where it goes wrong. */
class Fault {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

// Each of these answers the place behind what it has read.

const demand = (at: number, fits: boolean): number => {
  if (!fits) throw new Fault(at);
  return at + 1;
};

const readWord = (text: string, at: number, word: string): number => {
  for (let index = 0; index < word.length; index += 1) demand(at + index, text[at + index] === word[index]);
  return at + word.length;
};

const readDigits = (text: string, from: number): number => {
  let at = demand(from, isDigit(text.charCodeAt(from)));
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
};

const readNumber = (text: string, from: number): number => {
  let at = text[from] === '-' ? from + 1 : from;
  at = text[at] === '0' ? at + 1 : readDigits(text, at);
  if (text[at] === '.') at = readDigits(text, at + 1);
  if (text[at] === 'e' || text[at] === 'E') {
    at += 1;
    at = readDigits(text, text[at] === '+' || text[at] === '-' ? at + 1 : at);
  }
  return at;
};

const readEscape = (text: string, at: number): number => {
  if (text[at] !== 'u') return demand(at, text[at] !== undefined && '"\\/bfnrt'.includes(text[at] as string));
  for (let index = at + 1; index <= at + 4; index += 1) demand(index, isHex(text[index]));
  return at + 5;
};

const readString = (text: string, from: number): number => {
  let at = demand(from, text.charCodeAt(from) === quote);
  const { length } = text;
  // Here most of the time goes by: no `demand`, and never a look behind the end.
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < 32) throw new Fault(at);
    at = code === backslash ? readEscape(text, at + 1) : at + 1;
  }
  throw new Fault(length);
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const readKey = (text: string, from: number): number => {
  const at = skipSpace(text, readString(text, from));
  return demand(at, text[at] === ':');
};

const words: Record<string, string> = { t: 'true', f: 'false', n: 'null' };

const readScalar = (text: string, at: number): number => {
  const word = words[text[at] ?? ''];
  return word === undefined ? readNumber(text, at) : readWord(text, at, word);
};

/** Not by recursion: how deep a text goes is up to its sender. */
const walk = (text: string): void => {
  const ends: number[] = [];
  let end = -1;
  let at = skipSpace(text, 0);
  for (;;) {
    const opened = text.charCodeAt(at);
    if (opened === openObject || opened === openList) {
      ends.push(end);
      // Two behind in the table of characters.
      end = opened + 2;
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== end) {
        if (opened === openObject) at = skipSpace(text, readKey(text, at));
        continue;
      }
    } else at = opened === quote ? readString(text, at) : readScalar(text, at);
    at = skipSpace(text, at);
    while (end !== -1 && text.charCodeAt(at) === end) {
      end = ends.pop() as number;
      at = skipSpace(text, at + 1);
    }
    if (end === -1 || text.charCodeAt(at) !== comma) throw new Fault(at);
    at = skipSpace(text, at + 1);
    if (end === openObject + 2) at = skipSpace(text, readKey(text, at));
  }
};

/** A walk through longer texts takes longer than it is worth. */
const longText = 1_000_000;

/**
 * The place of the first character that cannot stand where it does; the length of the text if only more is missing.
 * `message` is that of JSON.parse. Undefined when that does not say, and the text is long.
 */
export const faultOf = (text: string, message: string): number | undefined => {
  if (message === 'Unexpected end of JSON input') return text.length;
  const told = /(?: in| after) JSON at position (\d+)/.exec(message);
  if (told !== null) return Number(told[1]);
  return text.length > longText ? undefined : faultIn(text);
};

/** The same, without a message. */
export const faultIn = (text: string): number => {
  try {
    walk(text);
    return text.length;
  } catch (error) {
    if (error instanceof Fault) return error.at;
    throw error;
  }
};
