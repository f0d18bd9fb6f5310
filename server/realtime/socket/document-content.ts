// What of a document has changed, as operations of json0. Of what was sent only marks are remembered, not the values: a connection that
// shows a thousand long texts must not hold them.
import { hash } from 'node:crypto';

/** One component of an operation. Without `oi` the key is removed. */
export interface Component {
  p: string[];
  oi?: unknown;
  od?: null;
}

/** The parts of a document that change on their own, by path, each with a mark of its value. */
export type Content = ReadonlyMap<string, string>;

/** Keys whose own keys change one by one: the cells of a record, the columns of a view. */
const divided = new Set(['fields', 'columnMeta']);

const longestMark = 44;

const markOf = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= longestMark ? text : hash('sha256', text, 'base64');
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partsOf = (data: Record<string, unknown>): [path: string[], value: unknown][] =>
  Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]): [string[], unknown][] =>
      divided.has(key) && isObject(value)
        ? Object.entries(value).map(([inner, cell]) => [[key, inner], cell])
        : [[[key], value]],
    );

const nameOf = (path: readonly string[]): string => path.join('\n');

export const contentOf = (data: Record<string, unknown>): Content =>
  new Map(partsOf(data).map(([path, value]) => [nameOf(path), markOf(value)]));

/** A divided key that is not there yet, or is there no longer, is one part: it cannot be changed inside. */
const sameDivisions = (before: Content, after: Content): boolean =>
  [...divided].every((key) => {
    const has = (content: Content): boolean => [...content.keys()].some((name) => name.startsWith(`${key}\n`));
    return has(before) === has(after);
  });

/** Null: the whole document has to be sent. */
export const changesBetween = (before: Content, after: Content, data: Record<string, unknown>): Component[] | null => {
  if (!sameDivisions(before, after)) return null;
  const changed: Component[] = partsOf(data)
    .filter(([path]) => before.get(nameOf(path)) !== after.get(nameOf(path)))
    .map(([path, value]) => ({ p: path, oi: value }));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  return [...changed, ...removed.map((name): Component => ({ p: name.split('\n'), od: null }))];
};
