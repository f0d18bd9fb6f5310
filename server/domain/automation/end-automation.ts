// Turns an automation off by itself, with a reason that people see.
import type { TriggerType } from '@rowhouse/contract/automation-definition.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Tx } from '../../db/db.ts';
import { deleteFollower } from '../feed/follower.sql.ts';
import { type AutomationRow, type AutomationState, countOn, endAutomation } from './automation.sql.ts';

/** What the feed tells of. */
export const feedTriggers: readonly TriggerType[] = [
  'recordCreated',
  'recordUpdated',
  'recordMatches',
  'viewEntered',
  'formSubmitted',
  'commentAdded',
];

export const followerId = (baseId: string): string => `automation:${baseId}`;

/** A base that no automation looks at is not followed: its writers pay nothing. */
export const unfollowIfUnused = async (tx: Tx, baseId: string): Promise<void> => {
  if ((await countOn(tx, baseId, feedTriggers)) === 0) await deleteFollower(tx, followerId(baseId));
};

/** In the transaction of the cause. The owners of the space are notified. */
export const endAndTell = async (
  tx: Tx,
  { id, baseId, spaceId, name }: Pick<AutomationRow, 'id' | 'baseId' | 'spaceId' | 'name'>,
  state: Exclude<AutomationState, 'on' | 'off'>,
  reason: string,
): Promise<void> => {
  if (!(await endAutomation(tx, id, state, reason))) return;
  await addToOutbox(tx, { type: 'automationEnded', spaceId, baseId, automationId: id, name, state, reason });
};
