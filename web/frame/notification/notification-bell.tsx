import { getUnreadCount, type Notification } from '@rowhouse/contract/notification.ts';
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../../app/call.ts';
import { askForRoles, queryClient } from '../../app/query-client.ts';
import { openStream } from '../../app/stream.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { NotificationList } from './notification-list.tsx';

const unreadKey = ['notifications', 'unread-count'];

const isOfLists = ([of, what]: readonly unknown[]): boolean => of === unreadKey[0] && what !== unreadKey[1];

export const NotificationBell = () => {
  const unread =
    useQuery({ queryKey: unreadKey, queryFn: ({ signal }) => call(getUnreadCount, { signal }) }).data?.unreadCount ?? 0;

  useEffect(() => {
    const refresh = (): void => void queryClient.invalidateQueries({ queryKey: ['notifications'] });
    const hear = (data: unknown): void => {
      refresh();
      // Whom somebody gave another role works with the tools of that one from now on.
      if ((data as { notification: Notification }).notification.notifyType === 'system') askForRoles();
    };
    return openStream('/api/notifications/events', {
      on: { 'notification.created': hear, 'notification.unread': (data) => queryClient.setQueryData(unreadKey, data) },
      // The number of unread ones comes with every beginning of the stream.
      onGap: () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfLists(queryKey) }),
    });
  }, []);

  return (
    <Popover
      label="Notifications"
      align="end"
      trigger={
        <IconButton label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`} className="relative">
          <Bell size={18} />
          {unread > 0 && (
            <span className="absolute -top-0.5 -right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-danger px-1 text-[10px] font-semibold text-danger-ink">
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </IconButton>
      }
    >
      <NotificationList />
    </Popover>
  );
};
