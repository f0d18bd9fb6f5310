import { createElement, type ReactNode } from 'react';
import { type Inline, readMarkdown } from './markdown.ts';

const Part = ({ inline }: { inline: Inline }): ReactNode => {
  switch (inline.as) {
    case 'bold':
      return <strong>{inline.text}</strong>;
    case 'italic':
      return <em>{inline.text}</em>;
    case 'code':
      return <code className="rounded bg-sunken px-1 font-mono text-[0.9em]">{inline.text}</code>;
    case 'mention':
      return <span className="rounded bg-accent-soft px-1 font-medium text-accent">{inline.text}</span>;
    case 'link':
      return (
        <a className="text-accent underline" href={inline.href} target="_blank" rel="noopener noreferrer">
          {inline.text}
        </a>
      );
    default:
      return inline.text;
  }
};

const Parts = ({ inlines }: { inlines: readonly Inline[] }) =>
  inlines.map((inline, at) => <Part key={at} inline={inline} />);

const headingLooks = ['text-2xl', 'text-xl', 'text-lg', 'text-base'];

interface MarkdownViewProps {
  text: string;
  /** Of people that it can mention. */
  names: readonly string[];
}

/** Characters: a text may have a million lines, and each is an element of the page. */
const longest = 50_000;

/** Markdown as people read it. It makes elements, never HTML of the text. */
export const MarkdownView = ({ text, names }: MarkdownViewProps) => (
  <div className="flex flex-col gap-2 break-words">
    {readMarkdown(text.length > longest ? `${text.slice(0, longest)}…` : text, names).map((block, at) => {
      switch (block.as) {
        case 'heading':
          return createElement(
            `h${block.level + 2}`,
            { key: at, className: `${headingLooks[block.level - 1]} mt-2 font-semibold` },
            <Parts inlines={block.inlines} />,
          );
        case 'list':
          return createElement(
            block.isNumbered ? 'ol' : 'ul',
            { key: at, className: `ml-5 ${block.isNumbered ? 'list-decimal' : 'list-disc'}` },
            block.items.map((item, place) => (
              <li key={place}>
                <Parts inlines={item} />
              </li>
            )),
          );
        case 'quote':
          return (
            <blockquote key={at} className="border-l-2 border-line-strong pl-3 text-ink-soft">
              <Parts inlines={block.inlines} />
            </blockquote>
          );
        case 'code':
          return (
            <pre key={at} className="overflow-x-auto rounded-lg bg-sunken p-3 font-mono text-[13px]">
              {block.text}
            </pre>
          );
        default:
          return (
            <p key={at} className="min-h-[1em]">
              <Parts inlines={block.inlines} />
            </p>
          );
      }
    })}
  </div>
);
