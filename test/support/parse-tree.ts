// Reads a statement as PostgreSQL's parser understood it: the text of its query tree, as `pg_proc.prosqlbody` holds it.

export type Tree = string | null | Tree[] | { node: string; fields: Record<string, Tree> };

const tokens = /\\.|[(){}[\]]|<>|"(?:\\.|[^"\\])*"|:\w+|(?:\\.|[^\s(){}[\]\\])+/gs;

/** `{QUERY :commandType 1 :rtable ({RTE …} …) :limitCount <> …}` */
export const readTree = (text: string): Tree => {
  const words = text.match(tokens) ?? [];
  let at = 0;
  const list = (end: string): Tree[] => {
    const items: Tree[] = [];
    while (words[at] !== end) items.push(value());
    at += 1;
    return items;
  };
  const value = (): Tree => {
    const word = words[at];
    at += 1;
    if (word === undefined) throw new Error('the tree ends too early');
    if (word === '(' || word === '[') return list(word === '(' ? ')' : ']');
    if (word === '<>') return null;
    if (word !== '{') return word;
    const node = words[at] as string;
    at += 1;
    const fields: Record<string, Tree> = {};
    while (words[at] !== '}') {
      const name = (words[at] as string).slice(1);
      at += 1;
      const parts: Tree[] = [];
      // The value of a constant is its length and its bytes: two parts.
      while (words[at] !== '}' && !(words[at] as string).startsWith(':')) parts.push(value());
      fields[name] = parts.length === 1 ? (parts[0] as Tree) : parts;
    }
    at += 1;
    return { node, fields };
  };
  return value();
};
