// Markdown of a long text as a tree: headings, lists, quotes, code, links. What it does not know stays text, HTML too.

export type Inline =
  | { as: 'text' | 'bold' | 'italic' | 'code' | 'mention'; text: string }
  | { as: 'link'; text: string; href: string };

type Block =
  | { as: 'heading'; level: number; inlines: Inline[] }
  | { as: 'paragraph' | 'quote'; inlines: Inline[] }
  | { as: 'list'; isNumbered: boolean; items: Inline[][] }
  | { as: 'code'; text: string };

const safe = /^(https?:\/\/|mailto:)/i;

// Each part is short and ends with its line, so that a text of a hundred thousand brackets takes no longer than any other.
const parts =
  /`(?<code>[^`\n]{1,1000})`|\*\*(?<bold>[^*\n]{1,1000})\*\*|(?<![\w*])[*_](?<italic>[^*_\n]{1,1000})[*_](?!\w)|\[(?<title>[^[\]\n]{0,300})\]\((?<target>[^\s()]{1,2000})\)|(?<url>https?:\/\/[^\s<>()[\]]{1,2000})/g;

/** Plain text, with the names of people behind an @ set apart. */
const withMentions = (text: string, names: readonly string[]): Inline[] => {
  const found: Inline[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = names.find((one) => text.startsWith(one, at + 1));
    if (name === undefined) continue;
    if (at > from) found.push({ as: 'text', text: text.slice(from, at) });
    found.push({ as: 'mention', text: `@${name}` });
    from = at + 1 + name.length;
  }
  return from < text.length ? [...found, { as: 'text', text: text.slice(from) }] : found;
};

const inlinesOf = (line: string, names: readonly string[]): Inline[] => {
  const found: Inline[] = [];
  let from = 0;
  for (const match of line.matchAll(parts)) {
    found.push(...withMentions(line.slice(from, match.index), names));
    const { code, bold, italic, title, target, url } = match.groups ?? {};
    if (code !== undefined) found.push({ as: 'code', text: code });
    else if (bold !== undefined) found.push({ as: 'bold', text: bold });
    else if (italic !== undefined) found.push({ as: 'italic', text: italic });
    else if (url !== undefined) found.push({ as: 'link', text: url, href: url });
    else if (target !== undefined && safe.test(target)) found.push({ as: 'link', text: title || target, href: target });
    else found.push({ as: 'text', text: match[0] });
    from = match.index + match[0].length;
  }
  return [...found, ...withMentions(line.slice(from), names)];
};

const bullet = /^\s*[-*+]\s+(.*)$/;
const numbered = /^\s*\d{1,9}[.)]\s+(.*)$/;

/** `names`: of people that a text can mention. */
export const readMarkdown = (text: string, names: readonly string[] = []): Block[] => {
  const longestFirst = [...names].filter((name) => name !== '').sort((one, other) => other.length - one.length);
  const blocks: Block[] = [];
  let code: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      if (code !== undefined) blocks.push({ as: 'code', text: code.join('\n') });
      code = code === undefined ? [] : undefined;
      continue;
    }
    if (code !== undefined) {
      code.push(line);
      continue;
    }
    const heading = /^(#{1,4})\s+(.*)$/.exec(line);
    const item = bullet.exec(line) ?? numbered.exec(line);
    const isNumbered = item !== null && bullet.exec(line) === null;
    const last = blocks.at(-1);
    const inlines = (part: string): Inline[] => inlinesOf(part, longestFirst);
    if (heading !== null)
      blocks.push({ as: 'heading', level: (heading[1] as string).length, inlines: inlines(heading[2] as string) });
    else if (item !== null && last?.as === 'list' && last.isNumbered === isNumbered)
      last.items.push(inlines(item[1] as string));
    else if (item !== null) blocks.push({ as: 'list', isNumbered, items: [inlines(item[1] as string)] });
    else if (line.startsWith('> ')) blocks.push({ as: 'quote', inlines: inlines(line.slice(2)) });
    else blocks.push({ as: 'paragraph', inlines: inlines(line) });
  }
  if (code !== undefined) blocks.push({ as: 'code', text: code.join('\n') });
  return blocks;
};
