import { expect, test } from 'vitest';
import { contentOf, draftOf, mentionAt, plainText } from './draft.ts';

const ann = { id: 'usr1', name: 'Ann' };
const lee = { id: 'usr2', name: 'Ann Lee' };

test('mentions, links and lines become content, and content becomes the same draft again', () => {
  const draft = {
    text: 'Hi @Ann Lee and @Ann,\nsee https://a.example/x.',
    mentions: [ann, lee],
    images: [{ type: 'img' as const, path: 'table/att1', width: 3 }],
  };
  const content = contentOf(draft);
  expect(content).toEqual([
    {
      type: 'p',
      children: [
        { type: 'span', value: 'Hi ' },
        { type: 'mention', value: 'usr2' },
        { type: 'span', value: ' and ' },
        { type: 'mention', value: 'usr1' },
        { type: 'span', value: ',' },
      ],
    },
    {
      type: 'p',
      children: [
        { type: 'span', value: 'see ' },
        { type: 'a', url: 'https://a.example/x', title: 'https://a.example/x' },
        { type: 'span', value: '.' },
      ],
    },
    { type: 'img', path: 'table/att1', width: 3 },
  ]);
  const named = content.map((block) =>
    block.type === 'p'
      ? {
          ...block,
          children: block.children.map((part) =>
            part.type === 'mention' ? { ...part, name: part.value === 'usr1' ? 'Ann' : 'Ann Lee' } : part,
          ),
        }
      : block,
  );
  expect(contentOf(draftOf(named))).toEqual(content);
  expect(plainText(named)).toBe('Hi @Ann Lee and @Ann, see https://a.example/x. Image');
});

test('names that nobody chose, and mentions that were deleted again, are plain text', () => {
  expect(contentOf({ text: 'a@b.example @Ann', mentions: [lee], images: [] })).toEqual([
    { type: 'p', children: [{ type: 'span', value: 'a@b.example @Ann' }] },
  ]);
  expect(contentOf({ text: '  \n ', mentions: [ann], images: [] })).toEqual([]);
});

test('a mention is being typed behind an @ that begins a word', () => {
  expect([
    mentionAt('Hi @An', 6),
    mentionAt('@', 1),
    mentionAt('a@b', 3),
    mentionAt('@Ann Le', 7),
    mentionAt('@Ann\nx', 6),
    mentionAt('@Ann ', 5),
  ]).toEqual(['An', '', undefined, 'Ann Le', undefined, undefined]);
  // Once chosen, what follows is no longer searched for.
  expect([
    mentionAt('@Ann', 4, [ann]),
    mentionAt('@Ann see', 8, [ann]),
    mentionAt('@Ann Lee and @An', 16, [lee]),
  ]).toEqual(['Ann', undefined, 'An']);
});
