import {
  listNotifications,
  type Notification,
  readAllNotifications,
  updateNotificationStatus,
} from '@rowhouse/contract/notification.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Mail, MailOpen } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fullTime, timeAgo } from '../../ui/time.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['notifications'] });

export const NotificationList = () => {
  const navigate = useNavigate();
  const [state, setState] = useState<'unread' | 'read'>('unread');
  const list = useInfiniteQuery({
    queryKey: ['notifications', state],
    queryFn: ({ pageParam, signal }) =>
      call(listNotifications, {
        query: { notifyStates: state, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? null,
  });
  const mark = useMutation({
    mutationFn: ({ id, isRead }: Notification) =>
      call(updateNotificationStatus, { params: { notificationId: id }, body: { isRead: !isRead } }),
    onSettled: refresh,
  });
  const markAll = useMutation({ mutationFn: () => call(readAllNotifications, {}), onSettled: refresh });
  const items = list.data?.pages.flatMap((page) => page.notifications) ?? [];

  const follow = (item: Notification): void => {
    if (!item.isRead) mark.mutate(item);
    const { pathname, search } = new URL(item.url, window.location.origin);
    // The file of an export: the browser saves it, and the page stays.
    if (pathname.startsWith('/api/')) window.location.assign(pathname + search);
    else void navigate({ href: pathname + search });
  };

  return (
    <div className="flex w-88 max-w-full flex-col gap-2">
      <div className="flex items-center gap-1">
        {(['unread', 'read'] as const).map((which) => (
          <button
            key={which}
            type="button"
            aria-pressed={state === which}
            onClick={() => setState(which)}
            className={classNames(
              'rounded-lg px-2.5 py-1 font-medium',
              state === which ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken',
            )}
          >
            {which === 'unread' ? 'Unread' : 'Read'}
          </button>
        ))}
        <span className="flex-1" />
        <Button
          size="small"
          look="ghost"
          disabled={state === 'read' || items.length === 0}
          onClick={() => markAll.mutate()}
        >
          Mark all read
        </Button>
      </div>
      <ProblemNote error={list.error ?? mark.error ?? markAll.error} />
      {list.isSuccess && items.length === 0 && (
        <p className="px-2 py-6 text-center text-ink-soft">
          {state === 'unread'
            ? 'No new notifications. You are notified when someone adds you to a record.'
            : 'No notifications.'}
        </p>
      )}
      <ul className="flex flex-col">
        {items.map((item) => {
          const author =
            'userName' in item.notifyIcon
              ? item.notifyIcon
              : { userName: 'Rowhouse', userId: 'rowhouse', userAvatarUrl: null };
          return (
            <li key={item.id} className="flex items-start gap-2.5 rounded-lg px-2 py-2 hover:bg-sunken">
              <Avatar name={author.userName} seed={author.userId} picture={author.userAvatarUrl} small />
              <button type="button" className="min-w-0 flex-1 text-left" onClick={() => follow(item)}>
                <span className="block break-words">{item.message}</span>
                <time
                  dateTime={item.createdTime}
                  title={fullTime(item.createdTime)}
                  className="text-[12px] text-ink-faint"
                >
                  {timeAgo(item.createdTime)}
                </time>
              </button>
              <IconButton label={item.isRead ? 'Mark as unread' : 'Mark as read'} onClick={() => mark.mutate(item)}>
                {item.isRead ? <Mail size={15} /> : <MailOpen size={15} />}
              </IconButton>
            </li>
          );
        })}
      </ul>
      {list.hasNextPage && (
        <Button
          size="small"
          className="self-center"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
};
