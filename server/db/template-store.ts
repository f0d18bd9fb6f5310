// Remembers the texts of statements for something that never changes and is forgotten as a whole, such as the snapshot
// of a table. Which columns a client names is up to the client, and a text grows with the table (27 kB at 300 fields):
// all texts together are bounded by their bytes.
import { createByteCache } from './byte-cache.ts';
import type { template } from './sql.ts';

export type Template = ReturnType<typeof template>;

type TemplateStore = (owner: object, key: string, make: () => Template) => Template;

const capacity = 16 * 1_048_576;

/** Keys and texts are kept as they are in memory: two bytes per character, and some for the entry. */
const sizeOf = (made: Template, key: string): number => 200 + 2 * (key.length + made.text.length);

export const createTemplateStore = (bytes = capacity): TemplateStore => {
  const numbers = new WeakMap<object, number>();
  const store = createByteCache<Template>(bytes, sizeOf);
  let last = 0;
  return (owner, key, make) => {
    let number = numbers.get(owner);
    if (number === undefined) {
      last += 1;
      number = last;
      numbers.set(owner, number);
    }
    const name = `${number} ${key}`;
    const known = store.get(name);
    if (known !== undefined) return known;
    const made = make();
    store.set(name, made);
    return made;
  };
};
