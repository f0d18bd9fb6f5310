// The one way a stored subscription changes: behind its lock, with the limits that follow from it, in one transaction.
import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { applyLimit } from './quota.ts';
import { effectiveLevel, settle, type Subscription } from './subscription.ts';
import { lockSubscription, saveSubscription, selectSubscription } from './subscription.sql.ts';

type Needs = Pick<Environment, 'plans' | 'now'>;

/** `change` gets the subscription as it is by now; what it answers is settled and written. */
export const changeSubscription = async (
  tx: Tx,
  needs: Needs,
  spaceId: string,
  change: (present: Subscription) => Subscription | Promise<Subscription>,
): Promise<Subscription> => {
  const { plans, now } = needs;
  await lockSubscription(tx, spaceId);
  const stored = await selectSubscription(tx, plans, spaceId);
  if (stored === undefined) throw notFound('Space', spaceId);
  const changed = settle(plans, await change(settle(plans, stored, now())), now());
  await saveSubscription(tx, plans, changed);
  if (effectiveLevel(plans, changed) !== effectiveLevel(plans, stored)) {
    await applyLimit(tx, needs, spaceId);
    // Remembered access decisions carry the rate limit of the plan.
    await bumpEpochs(tx, [spaceId]);
  }
  if (changed.status !== stored.status || changed.level !== stored.level) {
    await addToOutbox(tx, { type: 'subscriptionChanged', spaceId, status: changed.status, level: changed.level });
  }
  return changed;
};
