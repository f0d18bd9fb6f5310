// A long text where it is only glanced at: in cells and on cards. Marks of Markdown are left out, the lines stay.
import { type Inline, readMarkdown } from './markdown.ts';

/** Most texts have none of these, and are shown as they are. */
const mayHaveMarks = /[*_`[]|^[^\S\n]*(?:#|>|[-+]\s|\d+[.)]\s)/m;

const inlineText = (inlines: readonly Inline[]): string => inlines.map(({ text }) => text).join('');

const strip = (text: string): string =>
  readMarkdown(text)
    .map((block) => {
      if (block.as === 'code') return block.text;
      if (block.as !== 'list') return inlineText(block.inlines);
      return block.items.map((item, at) => `${block.isNumbered ? `${at + 1}.` : '•'} ${inlineText(item)}`).join('\n');
    })
    .join('\n');

/** A cell shows the beginning of a text. Behind these characters marks stay: a text may have a million. */
const glanced = 10_000;

/** Cells are drawn again with every movement of the mouse. */
const known = new Map<string, string>();
const mostKnown = 500;

export const plainText = (text: string): string => {
  if (!mayHaveMarks.test(text.slice(0, glanced))) return text;
  const found = known.get(text);
  if (found !== undefined) return found;
  const plain = strip(text.slice(0, glanced)) + text.slice(glanced);
  if (known.size >= mostKnown) known.delete(known.keys().next().value as string);
  known.set(text, plain);
  return plain;
};
