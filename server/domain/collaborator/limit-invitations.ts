import type { Context } from '../../context.ts';
import { demandAllowed } from '../setting/demand-allowed.ts';
import { limitUses } from '../user/limit-uses.ts';

/** Before anything is looked up, so that requests that fail count too: nobody tries out addresses by the thousand. */
export const limitInvitations = async (context: Context, people: number): Promise<void> => {
  await demandAllowed(context, 'disallowSpaceInvitation');
  const { db, config, principal } = context;
  await limitUses(db, {
    key: ['invitations', principal.userId],
    limit: config.invitationsPerHour,
    minutes: 60,
    amount: people,
    message: `An account can invite ${config.invitationsPerHour} people within an hour, and these were more`,
  });
};
