import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { demandAllowed } from '../setting/demand-allowed.ts';
import { selectDecisions } from '../setting/setting.sql.ts';
import { limitUses } from '../user/limit-uses.ts';
import { selectNewTo } from './collaborator.sql.ts';

/** Before anything is looked up, so that requests that fail count too: nobody tries out addresses by the thousand. */
export const limitInvitations = async (context: Context, people: number): Promise<void> => {
  await demandAllowed(context, 'disallowSpaceInvitation');
  const { db, config, principal } = context;
  const limit = (await selectDecisions(db)).invitationsPerHour ?? config.invitationsPerHour;
  await limitUses(db, {
    key: ['invitations', principal.userId],
    limit,
    minutes: 60,
    amount: people,
    message: `An account can invite ${limit} people within an hour, and these were more`,
  });
};

/**
 * People with an account are added without being asked: so many spaces in an hour, by all others together. Spaces that they are in already, also by one of
 * their bases, do not count, nor do links that they follow themselves. In the transaction that adds them: a refusal counts nothing.
 */
export const limitAdded = async (
  tx: Tx,
  { config }: Context,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> => {
  for (const userId of await selectNewTo(tx, spaceId, userIds)) {
    await limitUses(tx, {
      key: ['added to spaces', userId],
      limit: config.addedToSpacesPerHour,
      minutes: 60,
      message: `One account can be added to ${config.addedToSpacesPerHour} spaces within an hour: send this person a link instead`,
    });
  }
};
