// Follows the inboxes of everyone who listens to their notifications in this process, with one question for all.
import type { Services } from '../context.ts';
import { type InboxRow, selectChangedInboxes, selectInboxSince } from '../domain/notification/inbox.sql.ts';
import { notificationVo } from '../domain/notification/notification-vo.ts';
import type { NotificationRow } from '../domain/notification/notification.sql.ts';
import type { Listening } from '../live.ts';
import { createListener, type Listener, verifyNow } from './listener.ts';
import { coalesce } from '../work/coalesce.ts';
import { eventText, opening } from './sse.ts';

/** Anyone who missed more than that reads the list again. */
const maxMissed = 100;

interface Followed {
  /** Everyone in `listeners` has heard everything up to here. */
  seq: number;
  version: number;
  listeners: Set<Listener>;
}

interface InboxStream {
  listen(listening: Listening): void;
  wake(): void;
  listeners(): Listener[];
  close(): Promise<void>;
}

export const createInboxStream = ({ db, now, publicUrl, backgroundErrors }: Services): InboxStream => {
  const followed = new Map<string, Followed>();
  const arriving: { listener: Listener; from: number }[] = [];

  const all = (): Listener[] => [...followed.values()].flatMap(({ listeners }) => [...listeners]);

  /** For one listener: two tokens of a person need not see the same. */
  const textOf = ({ access: { principal } }: Listener, rows: readonly NotificationRow[], unreadCount: number): string =>
    rows
      .map((row) =>
        eventText(
          'notification.created',
          JSON.stringify({ notification: notificationVo(row, principal, publicUrl()), unreadCount }),
          row.seq,
        ),
      )
      .join('') + eventText('notification.unread', JSON.stringify({ unreadCount }));

  const welcome = async (listener: Listener, from: number): Promise<void> => {
    const { userId } = listener.access.principal;
    const inbox = await selectInboxSince(db, userId, from, maxMissed + 1);
    const { missed, lastSeq, unread, version } = inbox;
    if (listener.isClosed) return;
    const isTooFar = from > lastSeq || missed.length > maxMissed || missed.some((row) => row.isOld);
    const following = followed.get(userId) ?? { seq: lastSeq, version, listeners: new Set<Listener>() };
    listener.send(eventText(isTooFar ? 'reload' : 'ready', '{}', isTooFar ? following.seq : from));
    // What came since the others of this user were told reaches this one together with them.
    listener.send(textOf(listener, isTooFar ? [] : missed.filter((row) => row.seq <= following.seq), unread));
    following.listeners.add(listener);
    followed.set(userId, following);
  };

  const tell = async (userId: string, version: number): Promise<void> => {
    const following = followed.get(userId);
    if (following === undefined) return;
    for (let isMore = true; isMore; ) {
      const { missed, unread } = await selectInboxSince(db, userId, following.seq, maxMissed);
      following.seq = missed.at(-1)?.seq ?? following.seq;
      for (const listener of following.listeners) listener.send(textOf(listener, missed, unread));
      isMore = missed.length === maxMissed;
    }
    following.version = version;
  };

  const reading = coalesce(
    async () => {
      for (const { listener, from } of arriving.splice(0)) {
        await welcome(listener, from).catch((error: unknown) => {
          backgroundErrors.note('live notifications', error);
          listener.close();
        });
      }
      for (const [userId, { listeners }] of followed) if (listeners.size === 0) followed.delete(userId);
      if (followed.size === 0) return;
      const known = new Map([...followed].map(([userId, { version }]) => [userId, version]));
      const changed: InboxRow[] = await selectChangedInboxes(db, known);
      if (changed.length > 0) await verifyNow(db, all(), now().getTime());
      for (const { userId, version } of changed) await tell(userId, version);
    },
    () => 10,
    (error) => backgroundErrors.note('live notifications', error),
  );

  return {
    listen(listening) {
      const listener = createListener(listening, () =>
        followed.get(listening.access.principal.userId)?.listeners.delete(listener),
      );
      listener.send(opening);
      arriving.push({ listener, from: listening.lastEventId ?? listening.since });
      reading.wake();
    },
    wake: () => reading.wake(),
    listeners: all,
    async close() {
      for (const listener of [...all(), ...arriving.map((one) => one.listener)]) listener.close();
      await reading.close();
    },
  };
};
