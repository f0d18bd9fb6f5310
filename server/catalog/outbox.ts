// What somebody has to be told: a job that is written in the transaction of its cause, and turned into notifications after
// its commit, exactly once. Any domain may add one; the notification domain does the job.
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Queryable } from '../db/db.ts';
import type { NewJob } from '../work/job.ts';
import { addJob } from '../work/job.sql.ts';

interface Resource {
  type: 'space' | 'base';
  id: string;
}

export type OutboxMessage =
  /** People were let into a space or base. */
  | { type: 'invited'; userIds: readonly string[]; place: Resource; role: Role; actorId: string }
  | { type: 'roleChanged'; userIds: readonly string[]; place: Resource; role: Role; actorId: string }
  /** `used` of `limit` in the unit of the limit; its owners are told. Say it once per crossing of 80 and of 100 percent. */
  | { type: 'limitReached'; spaceId: string; limit: string; used: number; allowed: number; percent: 80 | 100 }
  /** The owners of the space are told. */
  | { type: 'subscriptionChanged'; spaceId: string; status: string; level: string }
  /** An administrator of the instance is an owner now. The owners are told. */
  | { type: 'spaceTakenOver'; spaceId: string; actorId: string; reason: string }
  /** A webhook no longer sends. The owners of the space are told. */
  | { type: 'webhookEnded'; spaceId: string; baseId: string; name: string; state: string; reason: string }
  /** An automation no longer runs. The owners of the space are told. */
  | {
      type: 'automationEnded';
      spaceId: string;
      baseId: string;
      automationId: string;
      name: string;
      state: string;
      reason: string;
    };

export const notifyKind = 'notify';
export const namedKind = 'notify-named';

export interface NamedPayload {
  baseId: string;
}

/**
 * After the commit of a write that named people in user fields. Whom it named stands in its operation, so that a write
 * touches nothing outside of its base; should the process end before this is added, it is found within a minute.
 */
export const namedJob = (baseId: string): NewJob => ({
  kind: namedKind,
  key: baseId,
  payload: { baseId } satisfies NamedPayload,
});

export const addToOutbox = async (tx: Queryable, message: OutboxMessage): Promise<void> => {
  await addJob(tx, { kind: notifyKind, payload: message });
};
