// Text of a CSV or TSV file → rows of cells (RFC 4180). The separator is the one that its first line has most of.

const separators = [',', ';', '\t'] as const;

const separatorOf = (text: string): string => {
  const [line = ''] = text.split(/\r?\n/, 1);
  return [...separators].sort((one, other) => line.split(other).length - line.split(one).length)[0] as string;
};

/** UTF-16 by its byte order mark, UTF-8 if it is that, else Windows-1252: what spreadsheets save. */
export const textOf = (bytes: ArrayBuffer): string => {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

export const readCsv = (given: string): string[][] => {
  const text = given.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r' || text[at + 1] !== '\n') cell += character;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows.filter((cells) => cells.some((value) => value.trim() !== ''));
};
