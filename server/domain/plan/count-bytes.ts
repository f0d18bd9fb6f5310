// Every few minutes: what the spaces take on the disk. Their number is remembered with access decisions, so those of a space
// that has come over its limit, or back below it, are made again.
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Services } from '../../context.ts';
import { countBytes as countBytesOfSpaces } from './bytes.sql.ts';

export const countBytes = async ({ db, plans }: Pick<Services, 'db' | 'plans'>): Promise<void> => {
  const counted = await countBytesOfSpaces(db);
  const crossing = counted.filter(({ level, before, bytes }) => {
    const limit = plans.bytesOf(level ?? plans.fallback.level);
    return before > limit !== bytes > limit;
  });
  await db.transaction((tx) =>
    bumpEpochs(
      tx,
      crossing.map(({ spaceId }) => spaceId),
    ),
  );
};
