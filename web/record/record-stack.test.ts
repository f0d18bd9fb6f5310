import { expect, test } from 'vitest';
import { popped, pushed, readStack } from './record-stack.ts';

const record = (name: string) => ({ tableId: `tbl${name.padEnd(16, '0')}`, recordId: `rec${name.padEnd(16, '0')}` });

test('records are opened one from another and closed in turn', () => {
  const stack = pushed(pushed(undefined, record('a')), record('b'));
  expect(readStack(stack)).toEqual([record('a'), record('b')]);
  expect(pushed(stack, record('b'))).toBe(stack);
  expect(readStack(popped(stack))).toEqual([record('a')]);
  expect(popped(popped(stack))).toBeUndefined();
});

test('what is no record is left out, and a tower of them stays as high as an address can hold', () => {
  expect(readStack('nonsense,tbl1.rec2,')).toEqual([]);
  const many = Array.from({ length: 30 }, (_item, at) => record(`x${at}`)).reduce<string | undefined>(
    pushed,
    undefined,
  );
  expect(readStack(many)).toHaveLength(12);
  expect(readStack(many).at(-1)).toEqual(record('x29'));
});
