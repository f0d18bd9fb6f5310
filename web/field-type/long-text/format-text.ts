// What the buttons of the editor do to a text and what is selected in it.

export interface Selected {
  text: string;
  from: number;
  to: number;
}

/** Around what is selected; taken away again where it is there already. */
export const wrap = ({ text, from, to }: Selected, mark: string, placeholder: string): Selected => {
  const { length } = mark;
  if (from >= length && text.slice(from - length, from) === mark && text.slice(to, to + length) === mark)
    return {
      text: text.slice(0, from - length) + text.slice(from, to) + text.slice(to + length),
      from: from - length,
      to: to - length,
    };
  const inner = text.slice(from, to) || placeholder;
  return {
    text: text.slice(0, from) + mark + inner + mark + text.slice(to),
    from: from + length,
    to: from + length + inner.length,
  };
};

/** Before every line of the selection; taken away again where all have it. */
export const prefixLines = ({ text, from, to }: Selected, prefixOf: (line: number) => string): Selected => {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const end = next < 0 ? text.length : next;
  const lines = text.slice(start, end).split('\n');
  const isThere = lines.every((line, at) => line.startsWith(prefixOf(at)));
  const changed = lines.map((line, at) => (isThere ? line.slice(prefixOf(at).length) : prefixOf(at) + line)).join('\n');
  return { text: text.slice(0, start) + changed + text.slice(end), from: start, to: start + changed.length };
};

/** In place of what is selected, with the cursor behind it. */
export const insert = ({ text, from, to }: Selected, added: string): Selected => ({
  text: text.slice(0, from) + added + text.slice(to),
  from: from + added.length,
  to: from + added.length,
});
