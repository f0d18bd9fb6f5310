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

/** Where a cell is closed that begins with a quote; undefined when the quotes belong to the text. */
const closingQuote = (text: string, from: number): number | undefined => {
  let isNeeded = false;
  for (let at = from + 1, quotes = 0; at < text.length; at += 1) {
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
};

/**
 * A quote counts only at the beginning of a cell, if it is closed before the next tab or line, and if there is a reason for it: a
 * tab, a line or a quote inside. A cell that somebody typed as "a" keeps its quotes. Not read beyond `most` cells: one more says that there are.
 * By character codes: with patterns 500,000 cells take ten times as long.
 */
export const fromDelimited = (given: string, most = Number.POSITIVE_INFINITY): string[][] => {
  const text = given.endsWith('\r\n') ? given.slice(0, -2) : given.endsWith('\n') ? given.slice(0, -1) : given;
  let row: string[] = [];
  const rows = [row];
  for (let at = 0, cells = 1; ; cells += 1) {
    const closing = text.charCodeAt(at) === quote ? closingQuote(text, at) : undefined;
    let end = closing === undefined ? at : closing + 1;
    while (end < text.length && !isBorder(text.charCodeAt(end))) end += 1;
    row.push(
      closing === undefined
        ? text.slice(at, end)
        : text
            .slice(at + 1, closing)
            .split('""')
            .join('"'),
    );
    if (end === text.length || cells > most) return rows;
    const isTab = text.charCodeAt(end) === tab;
    if (!isTab) rows.push((row = []));
    at = end + (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? 2 : 1);
  }
};
