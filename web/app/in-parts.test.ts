import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { inParts } from './in-parts.ts';

const refusal = (): ApiError => new ApiError('validation_error', 'too large', { answerLimit: 5 });

/** Records 0 to 9, each as large as its number; an answer has at most 12. */
const asked: string[] = [];
const read = async (skip: number, take: number): Promise<number[]> => {
  asked.push(`${skip}+${take}`);
  const page = Array.from({ length: 10 }, (_, at) => at).slice(skip, skip + take);
  if (page.reduce((sum, size) => sum + size, 0) > 12) throw refusal();
  return page;
};

test('a page that is too large comes in parts, in its order, up to its end', async () => {
  expect(await inParts(0, 4, read)).toEqual([0, 1, 2, 3]);
  expect(asked.splice(0)).toEqual(['0+4']);
  expect(await inParts(0, 16, read)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a record that is too large alone, and other errors, are told', async () => {
  const never = (error: Error) => async (): Promise<never> => {
    throw error;
  };
  await expect(inParts(0, 8, never(refusal()))).rejects.toThrow('too large');
  await expect(inParts(0, 8, never(new Error('gone')))).rejects.toThrow('gone');
});
