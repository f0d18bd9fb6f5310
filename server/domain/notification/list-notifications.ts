import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { listNotifications as endpoint } from '@rowhouse/contract/notification.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { notificationVo } from './notification-vo.ts';
import { selectNotifications, selectSeq, selectUnread } from './notification.sql.ts';

/** Messages tell of every space a user is in, which is more than an application was let into. */
export const demandPerson = (principal: Principal): void => {
  if (principal.kind === 'oauth') throw forbidden('A token of an application cannot read notifications');
};

const pageSize = 10;

/** The cursor is the id of the first notification of the next page, as in Teable. */
export const listNotifications = async (
  context: Context,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  demandPerson(context.principal);
  const { userId } = context.principal;
  const { cursor } = query;
  const from =
    cursor === undefined || cursor === ''
      ? null
      : isId('not', cursor)
        ? await selectSeq(context.db, userId, cursor)
        : undefined;
  if (from === undefined)
    throw invalid({
      path: 'query.cursor',
      message: 'There is no such page',
      expected: 'nextCursor of the page before',
    });
  const rows = await selectNotifications(context.db, userId, {
    isRead: query.notifyStates === 'read',
    from,
    take: pageSize + 1,
  });
  const next = rows[pageSize]?.id;
  return {
    notifications: rows.slice(0, pageSize).map((row) => notificationVo(row, context.principal, context.publicUrl())),
    ...(next === undefined ? {} : { nextCursor: next }),
  };
};

export const getUnreadCount = async (context: Context): Promise<{ unreadCount: number }> => ({
  unreadCount: await selectUnread(context.db, context.principal.userId),
});
