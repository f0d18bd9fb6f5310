// A comment while it is written: plain text in which mentions stand as @Name, and images beside it.
import type { CommentBlock, CommentInline } from '@rowhouse/contract/comment.ts';

export interface Mentionable {
  id: string;
  name: string;
}

export type Image = Extract<CommentBlock, { type: 'img' }>;

export interface Draft {
  text: string;
  /** Those that were chosen; what is no longer in the text counts for nothing. */
  mentions: readonly Mentionable[];
  images: readonly Image[];
}

export const emptyDraft: Draft = { text: '', mentions: [], images: [] };

const address = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?')\]]/g;

const withLinks = (text: string): CommentInline[] => {
  const parts: CommentInline[] = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(address)) {
    if (index > end) parts.push({ type: 'span', value: text.slice(end, index) });
    parts.push({ type: 'a', url, title: url });
    end = index + url.length;
  }
  if (end < text.length) parts.push({ type: 'span', value: text.slice(end) });
  return parts;
};

/** The longest name first: @Ann Lee is not @Ann. */
const readLine = (line: string, mentions: readonly Mentionable[]): CommentInline[] => {
  const known = mentions
    .filter(({ name }) => name !== '')
    .toSorted((one, other) => other.name.length - one.name.length);
  const parts: CommentInline[] = [];
  let plain = '';
  const flush = (): void => {
    parts.push(...withLinks(plain));
    plain = '';
  };
  for (let at = 0; at < line.length; ) {
    const found = line[at] === '@' ? known.find(({ name }) => line.startsWith(name, at + 1)) : undefined;
    if (found === undefined) {
      plain += line[at];
      at += 1;
    } else {
      flush();
      parts.push({ type: 'mention', value: found.id });
      at += found.name.length + 1;
    }
  }
  flush();
  return parts;
};

export const contentOf = ({ text, mentions, images }: Draft): CommentBlock[] => {
  const trimmed = text.trim();
  const lines = trimmed === '' ? [] : trimmed.split('\n');
  return [
    ...lines.map((line): CommentBlock => ({ type: 'p', children: readLine(line, mentions) })),
    ...images.map(
      ({ path, width }): CommentBlock => ({ type: 'img', path, ...(width === undefined ? {} : { width }) }),
    ),
  ];
};

const nameOf = (part: Extract<CommentInline, { type: 'mention' }>): string => part.name ?? part.value;

const inlineText = (part: CommentInline): string =>
  part.type === 'span' ? part.value : part.type === 'a' ? part.title : `@${nameOf(part)}`;

/** In one line, as a quote shows it. */
export const plainText = (content: readonly CommentBlock[]): string =>
  content
    .map((block) => (block.type === 'p' ? block.children.map(inlineText).join('') : 'Image'))
    .join(' ')
    .trim();

export const draftOf = (content: readonly CommentBlock[]): Draft => {
  const paragraphs = content.flatMap((block) => (block.type === 'p' ? [block.children] : []));
  return {
    // A link whose title is another text would lose it: there the address is shown.
    text: paragraphs
      .map((children) => children.map((part) => (part.type === 'a' ? part.url : inlineText(part))).join(''))
      .join('\n'),
    mentions: paragraphs
      .flat()
      .flatMap((part) => (part.type === 'mention' ? [{ id: part.value, name: nameOf(part) }] : [])),
    images: content.flatMap((block) => (block.type === 'img' ? [block] : [])),
  };
};

/** What is typed behind an @ right before the caret; undefined when nothing is mentioned there, or what is was chosen already and the sentence goes on. */
export const mentionAt = (text: string, caret: number, chosen: readonly Mentionable[] = []): string | undefined => {
  const typed = /(?:^|[\s(])@((?:[^\s@](?:[^@\n]{0,29}[^\s@])?)?)$/.exec(text.slice(0, caret))?.[1];
  return chosen.some(({ name }) => typed?.startsWith(`${name} `)) ? undefined : typed;
};
