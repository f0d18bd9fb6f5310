// Where a text stops being JSON. Only for texts that JSON.parse has refused: its own messages seldom say.

const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';
const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
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
  let at = demand(from, isDigit(text[from]));
  while (isDigit(text[at])) at += 1;
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
  let at = demand(from, text[from] === '"');
  while (text[at] !== '"') {
    const isEscape = text[at] === '\\';
    at = demand(at, text.charCodeAt(at) >= 32);
    if (isEscape) at = readEscape(text, at);
  }
  return at + 1;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
};

const readKey = (text: string, from: number): number => {
  const at = skipSpace(text, readString(text, from));
  return demand(at, text[at] === ':');
};

const words: Record<string, string> = { t: 'true', f: 'false', n: 'null' };

const readScalar = (text: string, at: number): number => {
  const char = text[at] ?? '';
  if (char === '"') return readString(text, at);
  const word = words[char];
  return word === undefined ? readNumber(text, at) : readWord(text, at, word);
};

/** Not by recursion: how deep a text goes is up to whoever sent it. */
const walk = (text: string): void => {
  const ends: string[] = [];
  let at = skipSpace(text, 0);
  for (;;) {
    const opened = text[at];
    if (opened === '{' || opened === '[') {
      const end = opened === '{' ? '}' : ']';
      ends.push(end);
      at = skipSpace(text, at + 1);
      if (text[at] !== end) {
        if (opened === '{') at = skipSpace(text, readKey(text, at));
        continue;
      }
    } else at = readScalar(text, at);
    at = skipSpace(text, at);
    while (ends.length > 0 && text[at] === ends.at(-1)) {
      ends.pop();
      at = skipSpace(text, at + 1);
    }
    if (ends.length === 0) throw new Fault(at);
    at = skipSpace(text, demand(at, text[at] === ','));
    if (ends.at(-1) === '}') at = skipSpace(text, readKey(text, at));
  }
};

/** The place of the first character that cannot stand where it does; the length of the text if only more is missing. */
export const faultIn = (text: string): number => {
  try {
    walk(text);
    return text.length;
  } catch (error) {
    if (error instanceof Fault) return error.at;
    throw error;
  }
};
