// JSON of a large body, in slices: JSON.parse reads 20 MB in one go, and nobody else is served meanwhile. Long lists, objects and texts are
// cut into pieces, each of which JSON.parse reads by itself.
import type { Pause } from './slices.ts';

/** Characters that are read in one go: some milliseconds. */
const piece = 131_072;

/** Containers inside of containers that are cut. Each level is looked through once more. */
const deepest = 6;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const broken = (): SyntaxError => new SyntaxError('not valid JSON');

/** `__proto__` is a key like any other in JSON. */
const add = (into: object, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else (into as Record<string, unknown>)[key] = value;
};

export const parseInSlices = async (text: string, pause: Pause): Promise<unknown> => {
  const skipBlanks = (from: number, to: number): number => {
    let at = from;
    while (at < to && isBlank(text.charCodeAt(at))) at += 1;
    return at;
  };

  // Where the look at an item has come to. One is looked at at a time, and a function for each of millions would be slow.
  let [depth, isText, seen] = [0, false, 0];
  const endBefore = (stop: number): number | undefined => {
    for (; seen < stop; seen += 1) {
      const code = text.charCodeAt(seen);
      if (isText) {
        if (code === backslash) seen += 1;
        else if (code === quote) isText = false;
      } else if (code === quote) isText = true;
      else if (code === 0x7b || code === 0x5b) depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        if (depth < 0) return seen;
      } else if (code === comma && depth === 0) return seen;
    }
    return seen >= text.length ? text.length : undefined;
  };

  /** Where the item ends that begins there: before a comma or the bracket that closes the list around it. A promise only for a long one. */
  const endOfItem = (from: number): number | Promise<number> => {
    [depth, isText, seen] = [0, false, from];
    return endBefore(Math.min(text.length, from + piece)) ?? endOfLong();
  };
  const endOfLong = async (): Promise<number> => {
    for (;;) {
      await pause();
      const end = endBefore(Math.min(text.length, seen + piece));
      if (end !== undefined) return end;
    }
  };

  const readText = async (from: number, to: number): Promise<string> => {
    let read = '';
    for (let start = from + 1; start < to - 1; ) {
      let at = start;
      // Never within an escape: the next one begins where this piece ends.
      for (const stop = Math.min(to - 1, start + piece); at < stop; )
        at += text.charCodeAt(at) !== backslash ? 1 : text[at + 1] === 'u' ? 6 : 2;
      read += JSON.parse(`"${text.slice(start, at)}"`) as string;
      start = at;
      await pause();
    }
    return read;
  };

  const readValue = async (start: number, end: number, level: number): Promise<unknown> => {
    const from = skipBlanks(start, end);
    let to = end;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
    if (to - from <= piece || level > deepest) return JSON.parse(text.slice(from, to)) as unknown;
    const [first, last] = [text[from], text[to - 1]];
    if (first === '"' && last === '"') return readText(from, to);
    if (first === '[' && last === ']') return readList(from, to, level);
    if (first === '{' && last === '}') return readObject(from, to, level);
    throw broken();
  };

  /** Calls `small` with pieces of whole items, and `large` with each item that is longer than one. */
  const readItems = async (
    from: number,
    to: number,
    small: (items: string) => void,
    large: (start: number, end: number) => Promise<void>,
  ): Promise<void> => {
    let pending = from + 1;
    const flush = (end: number): void => {
      if (end > pending) small(text.slice(pending, end));
    };
    for (let start = from + 1; ; ) {
      const found = endOfItem(start);
      const end = typeof found === 'number' ? found : await found;
      if (end >= to || skipBlanks(start, end) === end) throw broken();
      if (end - start > piece) {
        flush(start - 1);
        await large(start, end);
        pending = end + 1;
      } else if (end - pending > piece) {
        flush(end);
        pending = end + 1;
        await pause();
      }
      if (end === to - 1) {
        flush(end);
        return;
      }
      start = end + 1;
    }
  };

  const readList = async (from: number, to: number, level: number): Promise<unknown[]> => {
    const list: unknown[] = [];
    await readItems(
      from,
      to,
      (items) => {
        for (const item of JSON.parse(`[${items}]`) as unknown[]) list.push(item);
      },
      async (start, end) => void list.push(await readValue(start, end, level + 1)),
    );
    return list;
  };

  const readObject = async (from: number, to: number, level: number): Promise<object> => {
    const object = {};
    await readItems(
      from,
      to,
      (items) => {
        for (const [key, value] of Object.entries(JSON.parse(`{${items}}`) as object)) add(object, key, value);
      },
      async (start, end) => {
        const begins = skipBlanks(start, end);
        if (text.charCodeAt(begins) !== quote) throw broken();
        let at = begins + 1;
        while (at < end && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
        const key = JSON.parse(text.slice(begins, at + 1)) as string;
        at = skipBlanks(at + 1, end);
        if (text.charCodeAt(at) !== colon) throw broken();
        add(object, key, await readValue(at + 1, end, level + 1));
      },
    );
    return object;
  };

  return readValue(0, text.length, 0);
};
