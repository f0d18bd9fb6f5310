import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { lockBases, writeOrder } from './base.sql.ts';

interface NewPlace {
  anchorId: string;
  position: 'before' | 'after';
}

/** Writes the whole order again: a space has few bases, and positions between positions run out one day. */
export const updateBaseOrder = (
  { db, access }: Context,
  baseId: string,
  { anchorId, position }: NewPlace,
): Promise<void> =>
  retriedTransaction(db, async (tx) => {
    const present = await lockBases(tx, access.spaceId as string);
    if (!present.includes(baseId)) throw notFound('Base', baseId);
    if (!present.includes(anchorId)) throw invalid({ path: 'anchorId', message: 'Expected a base of the same space' });
    if (anchorId === baseId) return;
    const others = present.filter((id) => id !== baseId);
    others.splice(others.indexOf(anchorId) + (position === 'after' ? 1 : 0), 0, baseId);
    await writeOrder(tx, others);
  });
