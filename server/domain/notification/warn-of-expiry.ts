import type { Services } from '../../context.ts';
import { expiringText } from './message.ts';
import { insertNotifications } from './notification.sql.ts';
import { selectExpiringTokens } from './notify.sql.ts';

const batchSize = 500;

/** Once per token and end: `source` keeps a second process, and the next hour, from saying it again. */
export const warnOfExpiry = async ({ db, config, newId }: Services): Promise<number> => {
  const tokens = await selectExpiringTokens(db, batchSize);
  for (const token of tokens) {
    const source = `token:${token.id}:${Math.round(Date.parse(token.expiredTime) / 1_000)}`;
    await insertNotifications(
      db,
      [
        {
          id: newId('not'),
          userId: token.userId,
          type: 'system',
          message: expiringText(token),
          path: '/account/tokens',
          actorId: null,
          source,
        },
      ],
      config.smtpUrl !== null,
    );
  }
  return tokens.length;
};
