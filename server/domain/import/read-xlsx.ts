// Sheets of an XLSX workbook, which is a zip of XML: the rows are read one after the other, however many there are. Texts that
// several cells share are in a part of their own, which has to be in memory.
import { promisify } from 'node:util';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { createPause } from '../../work/slices.ts';
import { mostColumns, tooMuch } from '@rowhouse/contract/file-limits.ts';

const openZip = promisify(yauzl.open) as unknown as (path: string, options: yauzl.Options) => Promise<ZipFile>;

/** Bytes that a part may be unpacked: a small file can hold a very large one. */
const mostShared = 128_000_000;
const mostSheet = 4_000_000_000;
const mostSmall = 16_000_000;
/** Of so many bytes for each packed one no spreadsheet is made; small parts may be of anything. */
const mostPacked = 100;
const smallPart = 16_000_000;

const mostMembers = 10_000;
const mostSheets = 255;
const mostShares = 2_000_000;
const mostStyles = 100_000;
const mostLevels = 100;
/** Bytes of a tag or a text. A cell of a spreadsheet has 32,767 characters. */
const longestItem = 4_000_000;

const broken = (what: string): Error =>
  invalid({
    path: 'attachmentUrl',
    message: `The file is not an XLSX workbook that can be read: ${what}`,
    expected: 'an .xlsx file',
  });

type Parts = ReadonlyMap<string, Entry>;

const partsOf = (zip: ZipFile): Promise<Parts> =>
  new Promise((done, fail) => {
    const parts = new Map<string, Entry>();
    if (zip.entryCount > mostMembers) {
      fail(tooMuch('it has', mostMembers, 'members'));
      return;
    }
    zip.on('entry', (entry: Entry) => {
      parts.set(entry.fileName.replace(/^\//, ''), entry);
      zip.readEntry();
    });
    zip.once('end', () => done(parts));
    zip.once('error', fail);
    zip.readEntry();
  });

interface Tag {
  name: string;
  attributes: Record<string, string>;
}

interface Handlers {
  open?(tag: Tag): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Calls the handlers, and yields after every piece that was read, so that what they gathered can be taken. */
async function* parsePart(zip: ZipFile, entry: Entry, unpacked: number, handlers: Handlers): AsyncGenerator<void> {
  const pause = createPause();
  const most = Math.min(unpacked, smallPart + mostPacked * entry.compressedSize);
  if (entry.uncompressedSize > most) throw tooMuch(`${entry.fileName.slice(0, 100)} is`, most, 'bytes unpacked');
  const stream = await (promisify(zip.openReadStream.bind(zip)) as (entry: Entry) => Promise<Readable>)(entry);
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  let [size, heard, depth] = [0, 0, 0];
  parser.on('opentag', (tag) => {
    [heard, depth] = [size, depth + 1];
    if (depth > mostLevels) throw tooMuch(`${entry.fileName.slice(0, 100)} has`, mostLevels, 'levels');
    handlers.open?.({ name: local(tag.name), attributes: tag.attributes as Record<string, string> });
  });
  parser.on('closetag', (tag) => {
    [heard, depth] = [size, depth - 1];
    handlers.close?.(local(tag.name));
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('error', (error) => {
    throw broken(error.message.slice(0, 200));
  });
  const decoder = new TextDecoder();
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > most) throw tooMuch(`${entry.fileName.slice(0, 100)} is`, most, 'bytes unpacked');
      // What is not whole yet is in the memory of the parser.
      if (size - heard > longestItem)
        throw tooMuch(`${entry.fileName.slice(0, 100)} has a tag or a text of`, longestItem, 'bytes');
      parser.write(decoder.decode(piece, { stream: true }));
      yield;
      await pause();
    }
    parser.close();
    yield;
  } finally {
    stream.destroy();
  }
}

const readPart = async (zip: ZipFile, parts: Parts, name: string, most: number, handlers: Handlers): Promise<void> => {
  const entry = parts.get(name);
  if (entry === undefined) return;
  for await (const _ of parsePart(zip, entry, most, handlers));
};

interface Sheet {
  name: string;
  part: string;
}

const readSheets = async (zip: ZipFile, parts: Parts): Promise<{ sheets: Sheet[]; is1904: boolean }> => {
  const found: { name: string; id: string }[] = [];
  let is1904 = false;
  await readPart(zip, parts, 'xl/workbook.xml', mostSmall, {
    open({ name, attributes }) {
      if (name === 'sheet' && found.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '' }) > mostSheets)
        throw tooMuch('it has', mostSheets, 'sheets');
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
    },
  });
  const targets = new Map<string, string>();
  await readPart(zip, parts, 'xl/_rels/workbook.xml.rels', mostSmall, {
    open({ name, attributes }) {
      if (name === 'Relationship')
        targets.set(
          attributes['Id'] ?? '',
          (attributes['Target'] ?? '').replace(/^\/xl\/|^\//, '').replace(/^(?!xl\/)/, 'xl/'),
        );
    },
  });
  const sheets = found.flatMap(({ name, id }) =>
    parts.has(targets.get(id) ?? '') ? [{ name, part: targets.get(id) as string }] : [],
  );
  return { sheets, is1904 };
};

const readShared = async (zip: ZipFile, parts: Parts): Promise<string[]> => {
  const shared: string[] = [];
  let text: string | undefined;
  let isInText = false;
  let depthOfNote = 0;
  await readPart(zip, parts, 'xl/sharedStrings.xml', mostShared, {
    open({ name }) {
      if (name === 'si') text = '';
      else if (name === 'rPh') depthOfNote += 1;
      isInText = name === 't' && depthOfNote === 0;
    },
    close(name) {
      if (name === 'si' && shared.push(text ?? '') > mostShares)
        throw tooMuch('xl/sharedStrings.xml has', mostShares, 'texts');
      if (name === 'rPh') depthOfNote -= 1;
      isInText = false;
    },
    text(piece) {
      if (isInText && text !== undefined) text += piece;
    },
  });
  return shared;
};

type DateForm = 'date' | 'time' | 'both';

const dateFormOf = (code: string): DateForm | undefined => {
  // Without texts, colours and conditions.
  const bare =
    code
      .replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
      .split(';')[0]
      ?.toLowerCase() ?? '';
  const [hasDay, hasTime] = [/[yd]/.test(bare) || (/m/.test(bare) && !/[hs]/.test(bare)), /[hs]/.test(bare)];
  if (/general/.test(bare)) return undefined;
  return hasDay ? (hasTime ? 'both' : 'date') : hasTime ? 'time' : undefined;
};

const builtIn = (id: number): DateForm | undefined =>
  (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)
    ? 'date'
    : id === 22
      ? 'both'
      : (id >= 18 && id <= 21) || (id >= 45 && id <= 47)
        ? 'time'
        : undefined;

/** By the number of a style: whether its cells are dates. */
const readDateStyles = async (zip: ZipFile, parts: Parts): Promise<(DateForm | undefined)[]> => {
  const codes = new Map<number, string>();
  const styles: (DateForm | undefined)[] = [];
  let isInCells = false;
  await readPart(zip, parts, 'xl/styles.xml', mostSmall, {
    open({ name, attributes }) {
      // A spreadsheet has formats of at most 255 characters.
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), (attributes['formatCode'] ?? '').slice(0, 255));
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const id = Number(attributes['numFmtId'] ?? 0);
        const code = codes.get(id);
        if (styles.push(code === undefined ? builtIn(id) : dateFormOf(code)) > mostStyles)
          throw tooMuch('xl/styles.xml has', mostStyles, 'styles');
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
};

/** `B7` → 1 */
const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
};

const dayLong = 86_400_000;

const dateText = (value: number, form: DateForm, is1904: boolean): string => {
  const millis = Math.round(value * 86_400) * 1_000;
  const iso = new Date((is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) + millis);
  if (Number.isNaN(iso.getTime()) || iso.getUTCFullYear() > 9_999) return String(value);
  const text = iso.toISOString();
  if (form === 'time' && Math.abs(millis) < dayLong) return text.slice(11, 19);
  return form === 'date' && millis % dayLong === 0 ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
};

interface Workbook {
  sheets: readonly Sheet[];
  /** Some at a time, as people see them, dates as `2024-02-29`; of formulas what they gave. Empty rows are left out. */
  rows(sheet: Sheet): AsyncGenerator<string[][]>;
  close(): void;
}

export const openWorkbook = async (path: string): Promise<Workbook> => {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw broken(error.message);
  });
  try {
    const parts = await partsOf(zip).catch((error: Error) => {
      throw error instanceof ApiError ? error : broken(error.message);
    });
    const { sheets, is1904 } = await readSheets(zip, parts);
    if (sheets.length === 0) throw broken('it has no sheets');
    const styles = await readDateStyles(zip, parts);
    const shared = await readShared(zip, parts);

    const cellText = (type: string, style: number, value: string): string => {
      if (type === 's') return shared[Number(value)] ?? '';
      if (type === 'b') return value === '1' ? 'true' : 'false';
      if (type === 'e') return '';
      if (type === 'd') return value.replace('T', ' ').replace(/ 00:00:00(\.000)?Z?$/, '');
      if (type === 'str' || type === 'inlineStr' || value === '') return value;
      const form = styles[style];
      return form === undefined ? String(Number(value)) : dateText(Number(value), form, is1904);
    };

    return {
      sheets,
      close: () => zip.close(),
      async *rows(sheet) {
        let done: string[][] = [];
        let row: string[] = [];
        let [column, type, style, value] = [-1, '', 0, ''];
        let isInValue = false;
        const handlers: Handlers = {
          open({ name, attributes }) {
            if (name === 'row') [row, column] = [[], -1];
            else if (name === 'c') {
              column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
              [type, style, value] = [attributes['t'] ?? 'n', Number(attributes['s'] ?? 0), ''];
            } else isInValue = name === 'v' || name === 't';
          },
          close(name) {
            isInValue = false;
            if (name === 'c') {
              const text = cellText(type, style, value);
              if (text === '') return;
              if (column >= mostColumns)
                throw tooMuch(`sheet ${JSON.stringify(sheet.name.slice(0, 100))} has`, mostColumns, 'columns');
              while (row.length < column) row.push('');
              row[column] = text;
            } else if (name === 'row' && row.length > 0) done.push(row);
          },
          text(piece) {
            if (!isInValue) return;
            value += piece;
            if (value.length > longestItem) throw tooMuch('a cell has', longestItem, 'characters');
          },
        };
        for await (const _ of parsePart(zip, parts.get(sheet.part) as Entry, mostSheet, handlers)) {
          const ready = done;
          done = [];
          yield ready;
        }
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
};
