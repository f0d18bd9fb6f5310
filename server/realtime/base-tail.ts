// Follows the feed of one base for all listeners of this process: one reader, however many listen.
import type { TableListening } from '../live.ts';
import type { Services } from '../context.ts';
import { isGone } from '../db/error.ts';
import { changeEvents } from './change-events.ts';
import { feedOperations, selectFeed, selectWindow } from './feed.sql.ts';
import { createListener, type Listener, verify } from './listener.ts';
import { createPace } from './pace.ts';
import type { Presence } from './presence.ts';
import { eventText, opening } from './sse.ts';

const pageSize = 500;

interface TableListener {
  listener: Listener;
  tableId: string;
  values: boolean;
  presence: boolean;
}

export interface BaseTail {
  listen(listening: TableListening): void;
  wake(): void;
  listeners(): Listener[];
  /** Nobody listens, or is about to. */
  isIdle(): boolean;
  close(): Promise<void>;
}

const wantedOf = (members: Iterable<TableListener>): { tableId: string; values: boolean }[] => {
  const wanted = new Map<string, { tableId: string; values: boolean }>();
  for (const { tableId, values } of members) wanted.set(`${tableId}/${values}`, { tableId, values });
  return [...wanted.values()];
};

export const createBaseTail = (services: Services, baseId: string, presence: Presence): BaseTail => {
  const { db, now, faults } = services;
  const members = new Map<Listener, TableListener>();
  const joining = new Set<Listener>();
  /** Everyone in `members` has heard everything up to here. */
  let position: number | undefined;

  const listenersOf = (): Listener[] => [...members.keys()];

  /** One step along the feed; false at its end. */
  const step = async (): Promise<boolean> => {
    const after = position ?? (await selectWindow(db, baseId)).last;
    position ??= after;
    const wanted = wantedOf(members.values());
    const page = await selectFeed(db, baseId, { tableIds: wanted.map(({ tableId }) => tableId), after, until: null, limit: pageSize });
    const changes = await changeEvents(services, baseId, page.rows, wanted);
    await verify(members.keys(), page.epoch, now().getTime());
    // From here on nothing is awaited: nobody joins or hears half.
    const chunks = new Map(changes.map(({ tableId, values, text }) => [`${tableId}/${values}`, Buffer.from(text)]));
    for (const { listener, tableId, values } of members.values()) {
      const chunk = chunks.get(`${tableId}/${values}`);
      if (chunk !== undefined) listener.send(chunk);
    }
    position = page.upTo;
    return page.rows.length === pageSize;
  };

  const pace = createPace(
    async () => {
      await feedOperations(db, baseId);
      while (await step());
    },
    // A thousand listeners are written to twenty times a second at most: what happens in between goes out together.
    () => Math.max(5, members.size / 20),
    // A base that was deleted for good has no feed any more: those who listen to it are told so.
    (error) => {
      if (!isGone(error)) faults.note('live feed', error);
      return verify(members.keys(), Number.POSITIVE_INFINITY, now().getTime()).catch((fault: unknown) => faults.note('checking listeners', fault));
    },
  );

  const replay = async (member: TableListener, from: number, until: number): Promise<number> => {
    const { listener, tableId } = member;
    const page = await selectFeed(db, baseId, { tableIds: [tableId], after: from, until, limit: pageSize });
    const changes = await changeEvents(services, baseId, page.rows, [member]);
    await verify([listener], page.epoch, now().getTime());
    for (const { text } of changes) listener.send(text);
    await listener.drained();
    return page.upTo;
  };

  const join = async (member: TableListener, lastEventId: number | undefined): Promise<void> => {
    const { listener } = member;
    await pace.run();
    let from = position as number;
    if (lastEventId !== undefined) {
      const { oldest, last } = await selectWindow(db, baseId);
      if (lastEventId >= oldest && lastEventId <= last) from = lastEventId;
      else listener.send(eventText('reload', '{}', from));
    }
    if (from === lastEventId || lastEventId === undefined) listener.send(eventText('ready', '{}', from));
    while (!listener.isClosed) {
      while (pace.isRunning) await pace.idle();
      // From here to the entry among the members nothing is awaited.
      const until = position as number;
      if (from >= until) {
        if (listener.isClosed) return;
        members.set(listener, member);
        if (member.presence) presence.enter(listener, member.tableId);
        return;
      }
      from = await replay(member, from, until);
    }
  };

  return {
    listen(listening) {
      const listener = createListener(listening, () => {
        members.delete(listener);
        joining.delete(listener);
        presence.leave(listener);
      });
      joining.add(listener);
      listener.send(opening);
      join({ listener, tableId: listening.access.tableId as string, values: listening.values, presence: listening.presence }, listening.lastEventId)
        // The database is away: the listener comes back by itself.
        .catch((error: unknown) => {
          if (!listener.isClosed && !isGone(error)) faults.note('live feed', error);
          listener.close();
        })
        .finally(() => joining.delete(listener));
    },
    wake: () => pace.wake(),
    listeners: listenersOf,
    isIdle: () => members.size === 0 && joining.size === 0,
    async close() {
      for (const listener of [...members.keys(), ...joining]) listener.close();
      await pace.close();
    },
  };
};
