// Cells as text between tabs and lines, the way spreadsheets exchange them: what holds a tab, a line or a quote is quoted.

const quoted = (text: string): string => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line break at the end is no further row: a last row that is empty needs one of its own. */
export const toDelimited = (rows: readonly (readonly string[])[]): string => {
  const last = rows.at(-1);
  return (
    rows.map((row) => row.map(quoted).join('\t')).join('\n') +
    (rows.length > 1 && last?.length === 1 && last[0] === '' ? '\n' : '')
  );
};

const [tab, lineFeed, carriageReturn, quote] = [9, 10, 13, 34];
const isBorder = (code: number): boolean => code === tab || code === lineFeed || code === carriageReturn;

/** Quotes of a cell that are read as such. Each takes as long as a hundred other characters; a cell with more holds no text that anybody wrote. */
const mostQuotes = 200_000;

/** Characters, and cells times `cellCost`, between two steps: about two milliseconds. */
const stepSize = 262_144;
const cellCost = 16;

/** Between two steps, a server that reads it lets others run. The value is that of the last step. */
type Steps<T> = Generator<undefined, T>;

/** Where a cell is closed that begins with a quote; undefined when the quotes belong to the text. */
function* closingQuote(text: string, from: number): Steps<number | undefined> {
  let isNeeded = false;
  let stop = from + stepSize;
  for (let at = from + 1, quotes = 0; at < text.length; at += 1) {
    if (at >= stop) {
      yield;
      stop = at + stepSize;
    }
    const code = text.charCodeAt(at);
    if (isBorder(code)) isNeeded = true;
    if (code !== quote) continue;
    if (text.charCodeAt(at + 1) !== quote) {
      const isLast = at + 1 === text.length || isBorder(text.charCodeAt(at + 1));
      return isLast && isNeeded ? at : undefined;
    }
    isNeeded = true;
    at += 1;
    quotes += 1;
    if (quotes > mostQuotes) return undefined;
  }
  return undefined;
}

/** Where the text of a cell ends. */
function* endOfCell(text: string, from: number): Steps<number> {
  for (let at = from, stop = from + stepSize; ; stop += stepSize) {
    const last = Math.min(stop, text.length);
    while (at < last && !isBorder(text.charCodeAt(at))) at += 1;
    if (at < last || at === text.length) return at;
    yield;
  }
}

/** As `fromDelimited`, in steps of some milliseconds. */
export function* readDelimited(given: string, most: number): Steps<string[][]> {
  const text = given.endsWith('\r\n') ? given.slice(0, -2) : given.endsWith('\n') ? given.slice(0, -1) : given;
  let row: string[] = [];
  const rows = [row];
  let cost = 0;
  for (let at = 0, cells = 1; ; cells += 1) {
    const closing = text.charCodeAt(at) === quote ? yield* closingQuote(text, at) : undefined;
    // Most cells are short: a generator for each of them would take longer than reading it.
    let end = closing === undefined ? at : closing + 1;
    const near = Math.min(end + 256, text.length);
    while (end < near && !isBorder(text.charCodeAt(end))) end += 1;
    if (end === near && near < text.length) end = yield* endOfCell(text, end);
    row.push(
      closing === undefined
        ? text.slice(at, end)
        : text
            .slice(at + 1, closing)
            .split('""')
            .join('"'),
    );
    if (end === text.length || cells > most) return rows;
    cost += end - at + cellCost;
    if (cost > stepSize) {
      yield;
      cost = 0;
    }
    const isTab = text.charCodeAt(end) === tab;
    if (!isTab) rows.push((row = []));
    at = end + (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? 2 : 1);
  }
}

/**
 * A quote counts only at the beginning of a cell, if it is closed before the next tab or line, and if there is a reason for it: a
 * tab, a line or a quote inside. A cell that somebody typed as "a" keeps its quotes. Not read beyond `most` cells: one more says that there are.
 * By character codes: with patterns 500,000 cells take ten times as long.
 */
export const fromDelimited = (given: string, most = Number.POSITIVE_INFINITY): string[][] => {
  const steps = readDelimited(given, most);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
