// Remembers the texts of statements for something that never changes and is forgotten as a whole, such as the snapshot
// of a table. Which columns a client names is up to the client: no more than so many texts are kept for each.
import type { template } from './sql.ts';

export type Template = ReturnType<typeof template>;

const most = 100;

export const createTemplateStore = (): ((owner: object, key: string, make: () => Template) => Template) => {
  const stores = new WeakMap<object, Map<string, Template>>();
  return (owner, key, make) => {
    let known = stores.get(owner);
    if (known === undefined) {
      known = new Map();
      stores.set(owner, known);
    }
    let made = known.get(key);
    if (made === undefined) {
      made = make();
      if (known.size >= most) known.clear();
      known.set(key, made);
    }
    return made;
  };
};
