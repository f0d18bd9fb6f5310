// Soon after midnight (UTC) the usage of every space becomes the sample of the day that has ended.
import type { Environment } from '../../context.ts';
import { daysBefore } from './period.ts';
import { deleteSamplesBefore, insertSamples } from './usage-sample.sql.ts';

/** The longest that is asked for is 366 days. */
const keptDays = 400;

export const sampleUsage = async ({ db, now }: Pick<Environment, 'db' | 'now'>): Promise<void> => {
  const sampled = await insertSamples(db, daysBefore(now(), 1));
  if (sampled > 0) await deleteSamplesBefore(db, daysBefore(now(), keptDays));
};
