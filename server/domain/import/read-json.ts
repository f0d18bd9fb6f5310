// Records of a JSON file: a list of objects, or one object on each line. Columns are the keys, in the order in which they first
// appear. Only the object that is being read is in memory.
import { decode } from './decode.ts';

export interface JsonSource {
  /** The keys that have appeared so far. */
  names: readonly string[];
  /** Some at a time; values stand where their keys stand in `names`. */
  rows: AsyncGenerator<unknown[][]>;
}

/** An object that is longer is none. */
const longestObject = 16_000_000;
const mostNames = 10_000;

const wrong = (what: string): Error => new Error(`${what}; expected a list of objects, or one object on each line`);

/** Where the value that begins at `from` ends; undefined: not in this text. */
const endOf = (text: string, from: number): number | undefined => {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (isText) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) isText = false;
    } else if (character === 0x22) isText = true;
    else if (character === 0x7b || character === 0x5b) depth += 1;
    else if ((character === 0x7d || character === 0x5d) && (depth -= 1) === 0) return at + 1;
  }
  return undefined;
};

export const readJson = (bytes: AsyncIterable<Buffer>): JsonSource => {
  const places = new Map<string, number>();
  const names: string[] = [];
  const rowOf = (object: unknown): unknown[] => {
    const row: unknown[] = [];
    for (const [name, value] of Object.entries(object as Record<string, unknown>)) {
      let place = places.get(name);
      if (place === undefined) {
        if (names.length >= mostNames) throw wrong(`It has more than ${mostNames} different keys`);
        place = names.push(name) - 1;
        places.set(name, place);
      }
      row[place] = value;
    }
    return Array.from(row, (value) => value ?? '');
  };
  async function* rows(): AsyncGenerator<unknown[][]> {
    let text = '';
    let isList: boolean | undefined;
    for await (const piece of decode(bytes)) {
      text += piece;
      const found: unknown[][] = [];
      let at = 0;
      for (;;) {
        while (at < text.length && /[\s,]/.test(text[at] as string)) at += 1;
        const first = text[at];
        if (first === undefined) break;
        if (first === '[' && isList === undefined) {
          isList = true;
          at += 1;
          continue;
        }
        if (first === ']' && isList === true) {
          at += 1;
          continue;
        }
        isList ??= false;
        if (first !== '{') throw wrong(`Record ${names.length === 0 ? 1 : 'after the last one'} is not an object`);
        const end = endOf(text, at);
        if (end === undefined) break;
        found.push(rowOf(JSON.parse(text.slice(at, end))));
        at = end;
      }
      text = text.slice(at);
      if (text.length > longestObject) throw wrong(`An object has more than ${longestObject} characters`);
      yield found;
    }
    if (text.trim() !== '') throw wrong('It ends in the middle of an object');
  }
  return { names, rows: rows() };
};
