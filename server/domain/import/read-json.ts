// Records of a JSON file: a list of objects, or one object on each line. Columns are the keys, in the order in which they first
// appear. Only the object that is being read is in memory.
import { createPause } from '../../work/slices.ts';
import { decode } from './decode.ts';
import { longestRow, mostColumns, mostLevels, mostValues, tooMuch } from '@rowhouse/contract/file-limits.ts';

interface JsonSource {
  /** The keys that have appeared so far. */
  names: readonly string[];
  /** Some at a time; values stand where their keys stand in `names`. */
  rows: AsyncGenerator<unknown[][]>;
}

const wrong = (what: string): Error => new Error(`${what}; expected a list of objects, or one object on each line`);

/** Finds the end of an object that arrives in pieces: what was looked at is not looked at again. */
interface Scan {
  /** Where the object ends that begins at the start of the text; undefined: not in this text. */
  endIn(text: string, from: number): number | undefined;
}

const createScan = (): Scan => {
  let [at, depth, values, isText] = [0, 0, 0, false];
  return {
    endIn(text, from) {
      for (; from + at < text.length; at += 1) {
        const character = text.charCodeAt(from + at);
        if (isText) {
          if (character === 0x5c) at += 1;
          else if (character === 0x22) isText = false;
        } else if (character === 0x22) isText = true;
        else if (character === 0x2c) values += 1;
        else if (character === 0x7b || character === 0x5b) {
          [depth, values] = [depth + 1, values + 1];
          if (depth > mostLevels) throw tooMuch('a record has', mostLevels, 'levels');
        } else if ((character === 0x7d || character === 0x5d) && (depth -= 1) === 0) return from + at + 1;
        if (values > mostValues) throw tooMuch('a record has', mostValues, 'values');
      }
      return undefined;
    },
  };
};

const blank = /[\s,]*/y;

export const readJson = (bytes: AsyncIterable<Buffer>): JsonSource => {
  const places = new Map<string, number>();
  const names: string[] = [];
  const rowOf = (object: unknown): unknown[] => {
    const given = Object.entries(object as Record<string, unknown>);
    let length = 0;
    for (const [name] of given) {
      let place = places.get(name);
      if (place === undefined) {
        if (names.length >= mostColumns) throw tooMuch('its records have', mostColumns, 'different keys');
        place = names.push(name) - 1;
        places.set(name, place);
      }
      length = Math.max(length, place + 1);
    }
    const row = new Array<unknown>(length).fill('');
    for (const [name, value] of given) row[places.get(name) as number] = value ?? '';
    return row;
  };
  async function* rows(): AsyncGenerator<unknown[][]> {
    const pause = createPause();
    let text = '';
    let scan = createScan();
    let isList: boolean | undefined;
    for await (const piece of decode(bytes)) {
      text += piece;
      let found: unknown[][] = [];
      let at = 0;
      for (;;) {
        blank.lastIndex = at;
        blank.exec(text);
        at = blank.lastIndex;
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
        const end = scan.endIn(text, at);
        if (end === undefined) break;
        found.push(rowOf(JSON.parse(text.slice(at, end))));
        scan = createScan();
        at = end;
        const turn = pause();
        if (turn === undefined) continue;
        // Given away before others are served, and not gathered meanwhile.
        yield found;
        found = [];
        await turn;
      }
      text = text.slice(at);
      if (text.length > longestRow) throw tooMuch('a record has', longestRow, 'characters');
      yield found;
      await pause();
    }
    if (text.trim() !== '') throw wrong('It ends in the middle of an object');
  }
  return { names, rows: rows() };
};
