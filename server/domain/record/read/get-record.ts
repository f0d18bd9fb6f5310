// GET /table/:tableId/record/:recordId
import { notFound } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { readSoon } from './read-soon.ts';
import { selectRecords } from './read.sql.ts';
import { type Reading, shapeOf } from './shape.ts';

export const getRecord = async (
  request: Unconfirmed,
  recordId: string,
  reading: Reading,
): Promise<{ version: number; text: string }> => {
  const row = await guardedRead(request, async (context, sight) => {
    const [found] = await readSoon(context.db, sight, shapeOf(sight, reading), (db, shape) =>
      selectRecords(db, sight, [recordId], shape),
    );
    return seen(context, sight, found);
  });
  if (row === undefined) throw notFound('Record', recordId);
  return { version: row.version, text: `${row.json}}` };
};
