// GET, POST and DELETE /comment/:tableId/:recordId/subscribe. Each person has a subscription of their own.
import type { createSubscription as endpoint } from '@rowhouse/contract/comment.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardOf } from '../../pipeline/guard.sql.ts';
import { guardedRead, guardedWrite, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import { explainMissing } from '../record/write/missing.ts';
import { deleteSubscription as remove, insertSubscription, selectSubscription } from './subscription.sql.ts';

type Subscription = ResponseOf<typeof endpoint>;

const of = (sight: Sight, recordId: string): Subscription => ({
  tableId: sight.table.id,
  recordId,
  createdBy: sight.asker.userId,
});

export const getSubscription = (request: Unconfirmed, recordId: string): Promise<Subscription | undefined> =>
  guardedRead(request, async (context, sight) => {
    const { isSeen, isSubscribed, ...facts } = await selectSubscription(context.db, sight, recordId);
    if (!isSeen) throw notFound('Record', recordId);
    return { facts, value: isSubscribed ? of(sight, recordId) : undefined };
  });

const change = (request: Unconfirmed, recordId: string, write: typeof insertSubscription): Promise<Subscription> =>
  guardedWrite<Sight, true, Subscription>(request, {
    plan: async (_context, sight) => sight,
    needsTransaction: () => false,
    async write(context: TableContext, sight) {
      const guard = guardOf(context, sight.table);
      return (await write(context.db, sight, guard, recordId)) || new Unwritten(guard);
    },
    refuse: ({ db }, sight) => explainMissing(db, sight, [recordId], undefined),
    answer: (_context, sight) => of(sight, recordId),
  });

export const createSubscription = (request: Unconfirmed, recordId: string): Promise<Subscription> =>
  change(request, recordId, insertSubscription);

export const deleteSubscription = async (request: Unconfirmed, recordId: string): Promise<void> =>
  void (await change(request, recordId, remove));
