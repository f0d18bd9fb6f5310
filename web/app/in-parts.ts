// A page whose answer would be larger than the server makes is asked for in two halves.
import { ApiError } from '@rowhouse/contract/error.ts';

const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && (error.data as { answerLimit?: number } | undefined)?.answerLimit !== undefined;

export const inParts = async <T>(
  skip: number,
  take: number,
  read: (skip: number, take: number) => Promise<readonly T[]>,
): Promise<T[]> => {
  try {
    return [...(await read(skip, take))];
  } catch (error) {
    if (take <= 1 || !isTooLarge(error)) throw error;
    const half = Math.ceil(take / 2);
    const first = await inParts(skip, half, read);
    return first.length < half ? first : [...first, ...(await inParts(skip + half, take - half, read))];
  }
};
