import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeText } from './merge-text.ts';

test('what two people wrote in different places of a text is all there', () => {
  expect(mergeText('one\ntwo\nthree', 'ONE\ntwo\nthree', 'one\ntwo\nTHREE')).toBe('ONE\ntwo\nTHREE');
  expect(mergeText('one\ntwo', 'one\ntwo\nmine', 'zero\none\ntwo')).toBe('zero\none\ntwo\nmine');
  expect(mergeText('one\ntwo', 'one', 'one\ntwo\nthree\nfour')).toBeUndefined();
  expect(mergeText('one\ntwo\nthree', 'one\nthree', 'one\ntwo\nthree\nfour')).toBe('one\nthree\nfour');
  // Both added lines at the end: theirs was there first.
  expect(mergeText('list:', 'list:\n- mine', 'list:\n- theirs')).toBe('list:\n- theirs\n- mine');
  // In one line, by words.
  expect(mergeText('the quick brown fox', 'the slow brown fox', 'the quick brown dog')).toBe('the slow brown dog');
  expect(mergeText('same', 'same more', 'same more')).toBe('same more');
});

test('the same place changed by both is not guessed', () => {
  expect(mergeText('the fox', 'the dog', 'the cat')).toBeUndefined();
  expect(mergeText('fox', 'fox mine', 'fox theirs')).toBeUndefined();
  expect(mergeText('', 'mine', 'theirs')).toBeUndefined();
  expect(mergeText('text', '', 'text and more')).toBeUndefined();
});

test('a text that only one of the two changed is what they made of it', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c d', 'e'), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(mergeText(one, other, one)).toBe(other);
      expect(mergeText(one, one, other)).toBe(other);
      expect(mergeText(one, other, other)).toBe(other);
    }),
  );
});
