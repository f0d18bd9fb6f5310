import { expect } from 'vitest';
import type { Part } from '../../proof/part.ts';
import { seed } from './seed.ts';

/** The seed stands in the message when the part does not hold. */
export const holds = async ({ name, run }: Part): Promise<void> => {
  const { failures } = await run({ seed, scale: 'short', say: () => undefined });
  expect(failures, [`npm run proof -- ${name} --short --seed=${seed}`, ...failures].join('\n')).toEqual([]);
};
