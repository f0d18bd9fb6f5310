// Follows the feed of one base for all listeners of this process: one reader, however many listen.
import type { TableListening } from '../live.ts';
import { eyesOf } from '../catalog/principal.ts';
import type { Services } from '../context.ts';
import { isGone } from '../db/error.ts';
import { feedOperations, type FeedPage, selectFeed, selectWindow } from '../domain/feed/feed.sql.ts';
import { baseChanges } from '../domain/feed/base-changes.ts';
import {
  type Channel,
  channelKey,
  maxOperations,
  type TableChange,
  tableChanges,
} from '../domain/feed/table-changes.ts';
import { createListener, idsOf, type Listener, verify, verifyNow } from './listener.ts';
import { createOtherTables } from './other-tables.ts';
import { coalesce } from '../work/coalesce.ts';
import type { Presence } from './presence.ts';
import { shareReads } from './shared-reads.ts';
import { eventText, opening, openingAt } from './sse.ts';

/** Bytes of replays that are kept for others who come back to the same position. */
const keptReplays = 4_194_304;

/** One row of a page may be told twice. */
const limit = maxOperations - 1;

interface TableListener {
  listener: Listener;
  tableId: string;
  values: boolean;
  presence: boolean;
  isOfBase?: true;
}

interface Replayed extends Told {
  upTo: number;
  epochs: ReadonlyMap<string, number>;
}

export interface BaseStream {
  /** Everything that is committed from now on comes after it. */
  position(): Promise<number>;
  listen(listening: TableListening): void;
  wake(): void;
  listeners(): Listener[];
  /** Nobody listens, or is about to. */
  isIdle(): boolean;
  close(): Promise<void>;
}

/** Behind a change of fields other tables may count: they are asked for with the next page. */
const upToSchema = (page: FeedPage): FeedPage => {
  const at = page.rows.findIndex(({ kind }) => kind === 'schema');
  const row = page.rows[at];
  return row === undefined || page.upTo === row.seq
    ? page
    : { ...page, rows: page.rows.slice(0, at + 1), upTo: row.seq, isFull: true };
};

interface Told {
  text: Buffer;
  /** The stream ends behind it. */
  isLast: boolean;
}

/** The stream of a visitor ends when the table or one of its views changes: what the share shows may be something else then, and anyone who comes back is decided about again. */
const toldOf = ({ tableId, seeing: { access } }: Channel, events: readonly TableChange[]): Told => {
  const end = access.rights.of(tableId)?.isPublic === true ? events.findIndex(({ isOfSchema }) => isOfSchema) : -1;
  return {
    text: Buffer.from(
      (end === -1 ? events : events.slice(0, end + 1))
        // Who was cut off between two events of one change hears both again: the last one has its number.
        .flatMap(({ events: parts, seq }) =>
          parts.map(({ kind, data }, at) => eventText(kind, data, at === parts.length - 1 ? seq : undefined)),
        )
        .join(''),
    ),
    isLast: end !== -1,
  };
};

const none: ReadonlySet<string> = new Set();

/** Tables whose cells the rules compare with as values of the reader. */
const asksOf = ({ access: { rights } }: Listener): ReadonlySet<string> => rights.bound?.asks ?? none;

/** Those for whom such cells may be others now. */
const askingOf = (listeners: Iterable<Listener>, rows: FeedPage['rows']): Listener[] =>
  [...listeners].filter((listener) => rows.some(({ tableId }) => asksOf(listener).has(tableId)));

const tell = (listener: Listener, { text, isLast }: Told): void => {
  if (text.length > 0) listener.send(text);
  if (isLast) listener.close();
};

export const createBaseStream = (services: Services, baseId: string, presence: Presence): BaseStream => {
  const { db, now, backgroundErrors } = services;
  const members = new Map<Listener, TableListener>();
  const joining = new Set<Listener>();
  /** Who is about to listen. */
  let asking = 0;
  /** Everyone in `members` has heard everything up to here. */
  let position: number | undefined;

  const others = createOtherTables(services, baseId);

  const listenersOf = (): Listener[] => [...members.keys()];

  /** By what the listener sees now: it may have become less since they came. Values come from the history as they were written, with e-mail addresses: those who may not see them read the records instead. */
  const channelOf = ({ listener: { access }, tableId, values, isOfBase }: TableListener): Channel => ({
    tableId,
    ...(isOfBase === true ? { isOfBase } : {}),
    values: values && eyesOf(access.principal).seesEmails,
    seeing: { access, principal: access.principal, now },
  });

  /** The events that a page has for a channel, and up to where: there may be too many for one step. */
  const eventsFor = async (
    channel: Channel,
    { rows, upTo }: FeedPage,
  ): Promise<{ events: TableChange[]; upTo: number }> => {
    if (channel.isOfBase === true) return { events: baseChanges(channel.seeing, baseId, rows), upTo };
    const own = others.rowsFor(channel.tableId, rows);
    const events = own.length === 0 ? [] : await tableChanges(services, baseId, channel, own);
    return { events, upTo: events.length === own.length ? upTo : (events.at(-1) as TableChange).seq };
  };

  /** One step along the feed; false at its end. */
  const step = async (): Promise<boolean> => {
    const after = position ?? (await selectWindow(db, baseId)).last;
    position ??= after;
    const asked = [...members.keys()].flatMap((listener) => [...asksOf(listener)]);
    const ofTables = [...members.values()].filter(({ isOfBase }) => isOfBase !== true);
    const named = [...(await others.of(ofTables.map(({ tableId }) => tableId))), ...asked];
    const tableIds = ofTables.length < members.size ? null : named;
    const page = upToSchema(
      await selectFeed(db, baseId, { tableIds, after, until: null, limit, concerned: idsOf(members.keys()) }),
    );
    await verify(members.keys(), page.epochs, now().getTime());
    await verify(askingOf(members.keys(), page.rows), 'unknown', now().getTime());
    const channels = new Map([...members.values()].map(channelOf).map((channel) => [channelKey(channel), channel]));
    const found = new Map<string, TableChange[]>();
    let upTo = page.upTo;
    for (const [key, channel] of channels) {
      const { events, upTo: end } = await eventsFor(channel, page);
      if (events.length > 0) found.set(key, events);
      upTo = Math.min(upTo, end);
    }
    // From here on nothing is awaited: nobody joins or hears half.
    const chunks = new Map(
      [...found].map(([key, events]) => [
        key,
        toldOf(
          channels.get(key) as Channel,
          events.filter(({ seq }) => seq <= upTo),
        ),
      ]),
    );
    for (const member of members.values()) {
      const chunk = chunks.get(channelKey(channelOf(member)));
      if (chunk !== undefined) tell(member.listener, chunk);
    }
    position = upTo;
    others.forget(page.rows);
    return page.isFull || upTo < page.upTo;
  };

  const reading = coalesce(
    async () => {
      await feedOperations(db, baseId);
      while (await step());
    },
    // A thousand listeners are written to twenty times a second at most: what happens in between goes out together.
    () => Math.max(5, members.size / 20),
    // A base that was deleted for good has no feed any more: those who listen to it are told so.
    (error) => {
      if (!isGone(error)) backgroundErrors.note('live feed', error);
      return verify(members.keys(), 'unknown', now().getTime()).catch((fault: unknown) =>
        backgroundErrors.note('checking listeners', fault),
      );
    },
  );

  const replays = shareReads<Replayed>(keptReplays, ({ text }) => text.length);

  const readReplay = async (
    { listener }: TableListener,
    channel: Channel,
    from: number,
    until: number,
  ): Promise<Replayed> => {
    const page = await selectFeed(db, baseId, {
      tableIds: channel.isOfBase === true ? null : await others.with(channel.tableId),
      after: from,
      until,
      limit,
      concerned: idsOf([listener]),
    });
    const { events, upTo } = await eventsFor(channel, page);
    return { ...toldOf(channel, events), upTo, epochs: page.epochs };
  };

  const replay = async (member: TableListener, from: number, until: number): Promise<number> => {
    const { listener } = member;
    const channel = channelOf(member);
    const key = channelKey(channel);
    const { value, isFresh } = await replays.get(`${key}/${from}`, () => readReplay(member, channel, from, until));
    if (isFresh) await verify([listener], value.epochs, now().getTime());
    else await verifyNow(db, [listener], now().getTime());
    // They see something else by now: it is read again.
    if (channelKey(channelOf(member)) !== key) return from;
    tell(listener, value);
    await listener.drained();
    return value.upTo;
  };

  const join = async (member: TableListener, { since, lastEventId }: TableListening): Promise<void> => {
    const { listener } = member;
    await reading.run();
    let from = since;
    if (lastEventId !== undefined) {
      const { oldest, last } = await selectWindow(db, baseId);
      if (lastEventId >= oldest && lastEventId <= last) from = lastEventId;
      else listener.send(eventText('reload', '{}', from));
    }
    if (from === lastEventId || lastEventId === undefined) listener.send(eventText('ready', '{}', from));
    // What decides about them may have changed since they were let in.
    let checkedAt: number | undefined;
    while (!listener.isClosed) {
      while (reading.isRunning) await reading.idle();
      // From here to the entry among the members nothing is awaited.
      const until = position as number;
      if (from >= until) {
        if (listener.isClosed) return;
        if (asksOf(listener).size > 0 && checkedAt !== until) {
          checkedAt = until;
          await verify([listener], 'unknown', now().getTime());
          continue;
        }
        members.set(listener, member);
        if (member.presence) presence.enter(listener, member.tableId);
        return;
      }
      from = await replay(member, from, until);
    }
  };

  const leave = (listener: Listener): void => {
    joining.delete(listener);
    if (joining.size === 0) replays.clear();
  };

  return {
    async position() {
      asking += 1;
      try {
        await reading.run();
        return position ?? (await selectWindow(db, baseId)).last;
      } finally {
        asking -= 1;
      }
    },
    listen(listening) {
      const listener = createListener(listening, () => {
        members.delete(listener);
        leave(listener);
        presence.leave(listener);
      });
      joining.add(listener);
      // With a position at once: who is cut off before they have heard one comes back without it, and what happened in between is lost to them.
      listener.send(listening.lastEventId === undefined ? openingAt(listening.since) : opening);
      join(
        {
          listener,
          tableId: listening.isOfBase === true ? baseId : (listening.access.tableId as string),
          ...(listening.isOfBase === true ? { isOfBase: true as const } : {}),
          values: listening.values,
          presence: listening.presence,
        },
        listening,
      )
        // The database is away: the listener comes back by itself.
        .catch((error: unknown) => {
          if (!listener.isClosed && !isGone(error)) backgroundErrors.note('live feed', error);
          listener.close();
        })
        .finally(() => leave(listener));
    },
    wake: () => reading.wake(),
    listeners: listenersOf,
    isIdle: () => members.size === 0 && joining.size === 0 && asking === 0,
    async close() {
      for (const listener of [...members.keys(), ...joining]) listener.close();
      await reading.close();
    },
  };
};
