import { invalid } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { selectTakenIds } from './field.sql.ts';

/** Ids that a client chose for new fields: each must be new, in the whole instance. */
export const demandFreeIds = async (db: Queryable, chosen: readonly { id: string; at: string }[]): Promise<void> => {
  if (chosen.length === 0) return;
  const taken = new Set(
    await selectTakenIds(
      db,
      chosen.map(({ id }) => id),
    ),
  );
  const seen = new Set<string>();
  for (const { id, at } of chosen) {
    if (taken.has(id) || seen.has(id))
      throw invalid({ path: at, message: `The id ${id} is taken`, expected: 'an id that no other field has, or none' });
    seen.add(id);
  }
};
