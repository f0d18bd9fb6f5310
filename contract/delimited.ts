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

/**
 * A quote counts only at the beginning of a cell, if it is closed before the next tab or line, and if there is a reason for it: a
 * tab, a line or a quote inside. A cell that somebody typed as "a" keeps its quotes. Not read beyond `most` cells: one more says that there are.
 */
export const fromDelimited = (given: string, most = Number.POSITIVE_INFINITY): string[][] => {
  const text = given.replace(/\r?\n$/, '');
  const rows: string[][] = [[]];
  const inQuotes = /"((?:[^"]|"")*)"(?=[\t\n\r]|$)/y;
  const plain = /[^\t\n\r]*/y;
  const border = /\t|\r?\n|\r/y;
  for (let at = 0, cells = 1; ; cells += 1) {
    inQuotes.lastIndex = plain.lastIndex = at;
    const matched = text[at] === '"' ? inQuotes.exec(text) : null;
    const closed = matched !== null && /[\t\n\r]|""/.test(matched[1] as string) ? matched : null;
    const found = closed ?? plain.exec(text);
    rows.at(-1)?.push(closed === null ? (found?.[0] ?? '') : (closed[1] as string).replaceAll('""', '"'));
    border.lastIndex = at + (found?.[0].length ?? 0);
    const next = border.exec(text);
    if (next === null || cells > most) return rows;
    if (next[0] !== '\t') rows.push([]);
    at = border.lastIndex;
  }
};
