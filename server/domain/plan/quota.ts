// The limit of rows of a space. Far from it, a writer takes room from the slot of its connection, in the very
// statement that inserts. When that slot is full, all slots are locked, counted, and what is left is shared out again.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { closed, lockSlots, selectNumRows, type Slot, writeSlots } from './quota.sql.ts';
import { effectiveLevel, settle } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

const sum = (slots: readonly Slot[]): number => slots.reduce((total, { used }) => total + used, 0);

/** A slot that a connection of now would write through gets so much more than one that none would. */
const liveWeight = 64;

/**
 * What is left of the limit, shared out by weight; slot `own` can take `asked` besides. Over the limit all slots are
 * closed: room that a delete makes in one of them is still owed by the others.
 */
export const shareOut = (slots: readonly Slot[], limit: number, own: number, asked: number): Slot[] => {
  const left = limit - asked - sum(slots);
  if (left < 0) return slots.map((slot) => ({ ...slot, cap: closed }));
  const weightOf = ({ slot, isLive }: Slot): number => (isLive || slot === own ? liveWeight : 1);
  const whole = slots.reduce((total, slot) => total + weightOf(slot), 0);
  // Without plans `left` is near the largest number there is, and times a weight no longer exact.
  const shareOf = (slot: Slot): number => Number((BigInt(left) * BigInt(weightOf(slot))) / BigInt(whole));
  const shared = slots.map((slot) => ({ ...slot, cap: slot.used + shareOf(slot) }));
  const rest = limit - asked - shared.reduce((total, { cap }) => total + cap, 0);
  return shared.map((slot) => (slot.slot === own ? { ...slot, cap: slot.cap + rest + asked } : slot));
};

type Needs = Pick<Environment, 'plans' | 'now'>;

const limitOf = async (tx: Tx, { plans, now }: Needs, spaceId: string): Promise<number> => {
  const subscription = await selectSubscription(tx, plans, spaceId);
  const level =
    subscription === undefined ? plans.fallback.level : effectiveLevel(plans, settle(plans, subscription, now()));
  return plans.limitOf(level).maxRows;
};

const refuse = (limit: number, usage: number, asked: number): ApiError =>
  new ApiError(
    'payment_required',
    `The plan of this space allows ${limit} records; it has ${usage}, and ${asked} more were asked for`,
    { limit, usage, asked },
  );

/** After it, a statement that takes `asked` rows from the slot of this connection succeeds. Or 402. */
export const makeRoom = async (tx: Tx, needs: Needs, spaceId: string, asked: number): Promise<void> => {
  const limitBefore = await limitOf(tx, needs, spaceId);
  const usage = await selectNumRows(tx, spaceId);
  // Already clear: those who are refused do not queue for the locks.
  if (usage + asked > limitBefore) throw refuse(limitBefore, usage, asked);
  const slots = await lockSlots(tx, [spaceId]);
  const limit = await limitOf(tx, needs, spaceId);
  if (sum(slots) + asked > limit) throw refuse(limit, sum(slots), asked);
  await writeSlots(tx, spaceId, shareOut(slots, limit, slots.find((slot) => slot.isOwn)?.slot ?? 0, asked));
};

/** Said beforehand, for what takes long and claims its rows at the end. */
export const expectRoom = async (tx: Tx, needs: Needs, spaceId: string, asked: number): Promise<void> => {
  const [limit, usage] = [await limitOf(tx, needs, spaceId), await selectNumRows(tx, spaceId)];
  if (usage + asked > limit) throw refuse(limit, usage, asked);
};

const change = async (tx: Tx, needs: Needs, spaceId: string, slots: readonly Slot[], count: number): Promise<void> => {
  const limit = await limitOf(tx, needs, spaceId);
  if (count > 0 && sum(slots) + count > limit) throw refuse(limit, sum(slots), count);
  const changed = slots.map((one) => (one.slot === 0 ? { ...one, used: one.used + count } : one));
  await writeSlots(tx, spaceId, shareOut(changed, limit, 0, 0));
};

/** Adds rows that came in some other way than by creating records, or takes some off. 402 when they are too many. */
export const changeRows = async (tx: Tx, needs: Needs, spaceId: string, count: number): Promise<void> => {
  if (count !== 0) await change(tx, needs, spaceId, await lockSlots(tx, [spaceId]), count);
};

export const moveRows = async (tx: Tx, needs: Needs, from: string, to: string, count: number): Promise<void> => {
  if (count === 0) return;
  // Locked together and in order: two bases that change places do not wait for each other for ever.
  const slots = await lockSlots(tx, [from, to]);
  await change(
    tx,
    needs,
    to,
    slots.filter((slot) => slot.spaceId === to),
    count,
  );
  await change(
    tx,
    needs,
    from,
    slots.filter((slot) => slot.spaceId === from),
    -count,
  );
};

/** After a change of plan or of the file of plans. */
export const applyLimit = async (tx: Tx, needs: Needs, spaceId: string): Promise<void> => {
  const slots = await lockSlots(tx, [spaceId]);
  await writeSlots(tx, spaceId, shareOut(slots, await limitOf(tx, needs, spaceId), 0, 0));
};
