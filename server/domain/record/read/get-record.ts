// GET /table/:tableId/record/:recordId
import { notFound } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { readSoon } from './read-soon.ts';
import { selectRecords } from './read.sql.ts';
import { selectTag } from './record-tag.ts';
import { type Reading, shapeOf } from './shape.ts';

export const getRecord = async (
  request: Unconfirmed,
  recordId: string,
  reading: Reading,
): Promise<{ tag: string; text: string }> => {
  const found = await guardedRead(request, async (context, sight) => {
    const [row] = await readSoon(context.db, sight, shapeOf(sight, reading), (db, shape) =>
      selectRecords(db, sight, [recordId], shape),
    );
    const tag = row === undefined ? undefined : await selectTag(context.db, sight, row);
    return seen(context, sight, row === undefined || tag === undefined ? undefined : { tag, text: `${row.json}}` });
  });
  if (found === undefined) throw notFound('Record', recordId);
  return found;
};
