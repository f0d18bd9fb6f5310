import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandPerson } from './list-notifications.ts';
import { lockInbox, updateAllRead } from './notification.sql.ts';

export const readAllNotifications = async (context: Context): Promise<void> => {
  demandPerson(context.principal);
  const { userId } = context.principal;
  await retriedTransaction(context.db, async (tx) => {
    await lockInbox(tx, userId);
    await updateAllRead(tx, userId);
  });
  context.live.inboxChanged();
};
