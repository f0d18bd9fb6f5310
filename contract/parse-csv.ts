// Values that are separated by a character, piece by piece. Lines without quotes, which most are, are cut by the engine itself:
// that takes a fifth of the time that looking at each character does.
import { ApiError } from './error.ts';
import { longestRow, mostColumns, mostQuotes, tooMuch } from './file-limits.ts';

const quote = '"';
const quoteCode = 0x22;

/** Two quotes are one. Measured with 3.5 million pairs: `replaceAll` takes twice as long. */
const unescaped = (text: string): string => text.split('""').join(quote);

interface CsvParser {
  /** The records that are whole by now. */
  push(text: string): string[][];
  /** What is left. */
  end(): string[][];
}

interface Read {
  fields: string[];
  /** Where the next record begins. */
  next: number;
}

/** Records end with LF or CR LF, or with CR where there is no LF at all. Empty lines are passed over; quotes that make no sense are taken as they stand. */
export const createCsvParser = (delimiter: string): CsvParser => {
  let text = '';
  /** A row that was not whole is read again when twice as much of it is there: each time would be quadratic. */
  let enough = 0;
  let lineEnd: '\n' | '\r' | undefined;

  /** The fields from `start` on, of which some are quoted. Undefined: the record goes on in the next piece. */
  const readQuoted = (start: number, end: string, isLast: boolean): Read | undefined => {
    const fields: string[] = [];
    let at = start;
    let line: number | undefined;
    let pairs = 0;
    for (;;) {
      if (fields.length >= mostColumns) throw tooMuch('a row has', mostColumns, 'columns');
      let field = '';
      let from = at;
      if (text[at] === quote) {
        let close = text.indexOf(quote, at + 1);
        let hasQuotes = false;
        // Two quotes are one.
        while (close >= 0 && text.charCodeAt(close + 1) === quoteCode) {
          hasQuotes = true;
          pairs += 1;
          if (pairs > mostQuotes) throw tooMuch('a row has', mostQuotes, 'quotes');
          close = text.charCodeAt(close + 2) === quoteCode ? close + 2 : text.indexOf(quote, close + 2);
        }
        if (!isLast && (close < 0 || close + 2 >= text.length)) return undefined;
        from = close < 0 ? text.length : close;
        const inside = text.slice(at + 1, from);
        field = hasQuotes ? unescaped(inside) : inside;
        const after = close < 0 ? text.length : close + 1;
        const begins = text[after];
        if (
          begins === undefined ||
          begins === delimiter ||
          begins === end ||
          (begins === '\r' && text[after + 1] === end)
        ) {
          fields.push(field);
          if (begins === delimiter) {
            at = after + 1;
            continue;
          }
          return { fields, next: begins === undefined ? after : after + (begins === end ? 1 : 2) };
        }
        // Text goes on behind the closing quote: it was none.
        field = quote + field;
        at = close;
      }
      // Looked for once in a row, and what is behind it not at all.
      if (line !== undefined && line < at) line = undefined;
      line ??= text.indexOf(end, at) < 0 ? text.length : text.indexOf(end, at);
      const stop = line;
      if (stop === text.length && !isLast) return undefined;
      const within = text.slice(at, stop).indexOf(delimiter);
      const cut = at + within;
      if (within >= 0) {
        fields.push(field + text.slice(from, cut));
        at = cut + 1;
        continue;
      }
      fields.push(field + text.slice(from, text[stop - 1] === '\r' ? stop - 1 : stop));
      return { fields, next: Math.min(stop + 1, text.length) };
    }
  };

  const readRows = (isLast: boolean): string[][] => {
    const rows: string[][] = [];
    if (lineEnd === undefined) {
      // A CR at the very end may be the half of a CR LF.
      const [feed, carriage] = [text.indexOf('\n'), text.indexOf('\r')];
      lineEnd = feed >= 0 ? '\n' : carriage >= 0 && carriage < text.length - 1 ? '\r' : undefined;
      if (lineEnd === undefined && !isLast) return rows;
    }
    const end = lineEnd ?? '\n';
    let at = 0;
    let nextQuote = text.indexOf(quote);
    while (at < text.length) {
      const line = text.indexOf(end, at);
      const stop = line < 0 ? text.length : line;
      if (nextQuote >= 0 && nextQuote < at) nextQuote = text.indexOf(quote, at);
      if (nextQuote < 0 || nextQuote > stop) {
        if (line < 0 && !isLast) break;
        const whole = text.slice(at, text[stop - 1] === '\r' && stop > at ? stop - 1 : stop);
        if (whole !== '') rows.push(whole.split(delimiter, mostColumns + 1));
        if ((rows.at(-1)?.length ?? 0) > mostColumns) throw tooMuch('a row has', mostColumns, 'columns');
        at = stop + 1;
        continue;
      }
      const read = readQuoted(at, end, isLast);
      if (read === undefined) break;
      rows.push(read.fields);
      at = read.next;
    }
    text = isLast ? '' : text.slice(at);
    return rows;
  };

  const take = (isLast: boolean): string[][] => {
    const rows = readRows(isLast);
    if (text.length > longestRow) throw tooMuch('a quote was not closed, or a row has', longestRow, 'characters');
    enough = rows.length === 0 ? 2 * text.length : 0;
    return rows;
  };

  return {
    push(more) {
      text += more;
      return text.length < enough && text.length <= longestRow ? [] : take(false);
    },
    end: () => take(true),
  };
};

const separators = [',', '\t', ';', '|'];
const rowsLooked = 20;
const looked = 65_536;

/** Columns of the first rows. None where one has too many: then it is told of when the file is read. */
const countsOf = (beginning: string, delimiter: string): number[] => {
  const parser = createCsvParser(delimiter);
  try {
    return [...parser.push(beginning), ...parser.end()].slice(0, rowsLooked).map((row) => row.length);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
};

/** The one that makes the most columns in the most regular way. */
const separatorOfLines = (beginning: string): string => {
  const scoreOf = (delimiter: string): number => {
    const counts = countsOf(beginning, delimiter);
    const most = Math.max(0, ...counts);
    return most <= 1 ? 0 : most * (counts.filter((count) => count === counts[0]).length / counts.length) ** 2;
  };
  return (
    separators
      .map((separator) => ({ separator, score: scoreOf(separator) }))
      .toSorted((one, other) => other.score - one.score)[0]?.separator ?? ','
  );
};

/** Whole lines: a row that is cut off would look irregular. */
const wholeLines = (text: string): string => {
  if (text.length <= looked) return text;
  const end = text.lastIndexOf('\n', looked);
  return text.slice(0, end < 0 ? looked : end + 1);
};

/** Of the first piece of a file. */
export const separatorOf = (beginning: string): string => separatorOfLines(wholeLines(beginning));
