// Values that are separated by a character, piece by piece. Lines without quotes, which most are, are cut by the engine itself:
// that takes a fifth of the time that looking at each character does.

const quote = '"';

/** A record that is longer is a quote that was never closed. */
const longestRecord = 16_000_000;

export interface CsvParser {
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
  let lineEnd: '\n' | '\r' | undefined;

  /** The fields from `start` on, of which some are quoted. Undefined: the record goes on in the next piece. */
  const readQuoted = (start: number, end: string, isLast: boolean): Read | undefined => {
    const fields: string[] = [];
    let at = start;
    for (;;) {
      let field = '';
      let from = at;
      if (text[at] === quote) {
        let close = text.indexOf(quote, at + 1);
        from = at + 1;
        // Two quotes are one.
        while (close >= 0 && text[close + 1] === quote) {
          field += text.slice(from, close + 1);
          from = close + 2;
          close = text.indexOf(quote, from);
        }
        if (!isLast && (close < 0 || close + 2 >= text.length)) return undefined;
        const after = close < 0 ? text.length : close + 1;
        const begins = text[after];
        if (begins === undefined || begins === delimiter || begins === end || (begins === '\r' && text[after + 1] === end)) {
          fields.push(field + text.slice(from, close < 0 ? after : close));
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
      const line = text.indexOf(end, at);
      if (line < 0 && !isLast) return undefined;
      const stop = line < 0 ? text.length : line;
      const cut = text.indexOf(delimiter, at);
      if (cut >= 0 && cut < stop) {
        fields.push(field + text.slice(from, cut));
        at = cut + 1;
        continue;
      }
      fields.push(field + text.slice(from, text[stop - 1] === '\r' ? stop - 1 : stop));
      return { fields, next: line < 0 ? stop : stop + 1 };
    }
  };

  const take = (isLast: boolean): string[][] => {
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
        if (whole !== '') rows.push(whole.split(delimiter));
        at = stop + 1;
        continue;
      }
      const read = readQuoted(at, end, isLast);
      if (read === undefined) break;
      rows.push(read.fields);
      at = read.next;
    }
    text = isLast ? '' : text.slice(at);
    if (text.length > longestRecord) throw new Error(`A row has more than ${longestRecord} characters: a quote was not closed`);
    return rows;
  };

  return {
    push(more) {
      text += more;
      return take(false);
    },
    end: () => take(true),
  };
};
