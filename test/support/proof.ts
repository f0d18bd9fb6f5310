import { expect } from 'vitest';
import type { Part } from '../../proof/part.ts';

/** Another seed each time; it stands in the message when the part does not hold. */
export const holds = async ({ name, run }: Part): Promise<void> => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { failures } = await run({ seed, scale: 'short', say: () => undefined });
  expect(failures, [`npm run proof -- ${name} --short --seed=${seed}`, ...failures].join('\n')).toEqual([]);
};
