// PUT /template/:templateId/order and /template/category/:templateCategoryId/order
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { orderTemplate as endpoint } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { lockCategories, lockTemplates, writeCategoryOrder, writeTemplateOrder } from './template.sql.ts';

interface Kind {
  name: 'Template' | 'Category';
  lock: (tx: Tx) => Promise<string[]>;
  write: (tx: Tx, ids: readonly string[]) => Promise<void>;
}

/** Writes the whole order again: there are few, and positions between positions run out one day. */
const order =
  ({ name, lock, write }: Kind) =>
  ({ db }: Context, id: string, { anchorId, position }: BodyOf<typeof endpoint>): Promise<void> =>
    retriedTransaction(db, async (tx) => {
      const present = await lock(tx);
      if (!present.includes(id)) throw notFound(name, id.slice(0, 50));
      if (!present.includes(anchorId))
        throw invalid({
          path: 'anchorId',
          message: `There is no ${name.toLowerCase()} ${anchorId.slice(0, 50)}`,
          expected: 'the id of another one',
        });
      if (anchorId === id) return;
      const others = present.filter((other) => other !== id);
      others.splice(others.indexOf(anchorId) + (position === 'after' ? 1 : 0), 0, id);
      await write(tx, others);
    });

export const orderTemplate = order({ name: 'Template', lock: lockTemplates, write: writeTemplateOrder });
export const orderTemplateCategory = order({ name: 'Category', lock: lockCategories, write: writeCategoryOrder });
