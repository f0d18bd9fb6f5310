// Regular expressions as people know them from JavaScript → those of PostgreSQL. Backreferences are refused: they are the
// one thing that makes PostgreSQL's matching slow beyond measure.

const longest = 1_000;

export const toPattern = (written: string): { pattern?: string; wrong?: string } => {
  if (written.length > longest) return { wrong: `A pattern has at most ${longest} characters` };
  if (written === '') return { wrong: 'The pattern is empty' };
  try {
    new RegExp(written);
  } catch (error) {
    return {
      wrong: `The pattern is not a regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}`,
    };
  }
  if (/\(\?<[^=!]/.test(written)) return { wrong: 'Groups cannot have names here; they are numbered' };
  let pattern = '';
  let inBrackets = false;
  for (let at = 0; at < written.length; at += 1) {
    const letter = written[at] as string;
    if (letter === '\\') {
      at += 1;
      const next = written[at] as string;
      if (/[1-9]/.test(next) && !inBrackets) return { wrong: 'A pattern cannot refer back to its own groups' };
      if (/[pPkcu]/.test(next) && !(next === 'u' && /^[0-9a-f]{4}/i.test(written.slice(at + 1))))
        return { wrong: `"\\${next}" is not known in patterns` };
      // A word boundary; in PostgreSQL \b is a backspace, and \B a backslash.
      pattern += inBrackets
        ? inBracketsEscape(next)
        : next === 'b'
          ? '\\y'
          : next === 'B'
            ? '\\Y'
            : next === '0'
              ? '\\x01'
              : plainEscape(next);
    } else if (inBrackets) {
      if (letter === ']') inBrackets = false;
      // [[:alpha:]] and the like mean nothing to JavaScript.
      pattern += letter === '[' ? '\\[' : letter;
    } else if (letter === '[') {
      inBrackets = true;
      pattern += '[';
      if (written[at + 1] === '^') {
        pattern += '^';
        at += 1;
      }
      if (written[at + 1] === ']') return { wrong: 'Empty brackets match nothing' };
    } else pattern += letter === '.' ? '[^\\n\\r]' : letter;
  }
  // So that nothing at its beginning is taken for an option of PostgreSQL's.
  return { pattern: `(?:)${pattern}` };
};

/** Letters that mean the same after a backslash in both. Any other letter means itself. */
const plainEscape = (letter: string): string =>
  /[dDsSwWnrtfvu]/.test(letter) ? `\\${letter}` : /[A-Za-z0-9]/.test(letter) ? letter : `\\${letter}`;

const inBracketsEscape = (letter: string): string =>
  /[dswnrtfvu]/.test(letter)
    ? `\\${letter}`
    : letter === 'b'
      ? '\\b'
      : /[A-Za-z0-9]/.test(letter)
        ? letter
        : `\\${letter}`;

/** `$1` is the first group, `$&` the whole match, `$$` a dollar. */
export const toReplacement = (written: string): string =>
  written.replace(/\\|\$(?:\$|&|[1-9])/g, (found) =>
    found === '\\' ? '\\\\' : found === '$$' ? '$' : found === '$&' ? '\\&' : `\\${found.slice(1)}`,
  );
