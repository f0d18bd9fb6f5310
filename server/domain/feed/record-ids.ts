// The records of an operation. There may be a million of them, which are 20 MB of JSON.
import type { Queryable } from '../../db/db.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';
import { type FeedRow, selectRecordIds } from './feed.sql.ts';

export const recordIdsOf = async (
  db: Queryable,
  baseId: string,
  { recordIds, opId }: Pick<FeedRow, 'recordIds' | 'opId'>,
): Promise<string[]> => {
  const text = recordIds ?? (await selectRecordIds(db, baseId, [opId])).get(opId) ?? '[]';
  return (await parseInSlices(text, createPause())) as string[];
};
